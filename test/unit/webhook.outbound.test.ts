import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { systemClock } from "../../src/core/clock.ts";
import { reachOf } from "../../src/core/address/reach.ts";
import type { Resolve } from "../../src/webhook/destination.ts";
import { createOutbound, type OutboundOptions } from "../../src/webhook/outbound.ts";
import { Undelivered } from "../../src/webhook/undelivered.ts";

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) server.close();
});

/** Starts a server on loopback that does with each connection what the test says. Resolves to its port. */
async function receiver(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket);
    // Some tests are about clients that hang up.
    socket.on("error", () => {});
    onConnection(socket);
  });
  servers.push(server);
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

const answers = (text: string) => (socket: Socket) => void socket.once("data", () => socket.end(text));
const portOf = (act: (socket: Socket) => void) => receiver((socket) => void socket.once("data", () => act(socket)));

interface Attempt extends Partial<OutboundOptions> {
  readonly allowPrivate?: boolean;
  readonly signal?: AbortSignal;
}

async function attempt(url: string, { allowPrivate = true, signal, ...options }: Attempt = {}) {
  const began = performance.now();
  const send = createOutbound({ clock: systemClock, timeoutMs: 400, ...options });
  try {
    const sent = { method: "POST", url, allowPrivate, headers: {}, body: "{}", mostAnswerBytes: 1024, signal } as const;
    const { status } = await send("", sent);
    return { outcome: "delivered", status, ms: performance.now() - began };
  } catch (error) {
    if (!(error instanceof Undelivered)) throw error;
    const { outcome, message, retryAfterMs } = error;
    return { outcome, message, retryAfterMs, ms: performance.now() - began };
  }
}
const outcomeOf = async (url: string, options?: Attempt) => (await attempt(url, options)).outcome;

describe("W-09 a hostile receiver harms nothing:", () => {
  test("one that never answers, answers a byte at a time, or sends interim answers for ever has its time and no more", async () => {
    const dripping = (pieces: Iterator<string>) => (socket: Socket) => {
      const timer = setInterval(() => void socket.write(pieces.next().value ?? ""), 20);
      socket.on("close", () => clearInterval(timer));
    };
    const oneByOne = Iterator.from(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(10_000)}`);
    const interim = Iterator.from(Array.from({ length: 10_000 }, () => "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"));
    for (const act of [() => {}, dripping(oneByOne), dripping(interim)]) {
      const { outcome, ms } = await attempt(`http://127.0.0.1:${await portOf(act)}/`);
      expect(outcome).toBe("timeout");
      expect(ms).toBeLessThan(5_000);
    }
  });

  test("of ten gigabytes of body next to nothing is read, and a body that drips is not waited for", async () => {
    let sent = 0;
    const port = await portOf((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n");
      const chunk = Buffer.alloc(64 * 1024);
      const write = (): void => {
        while (!socket.destroyed) {
          sent += chunk.length;
          if (!socket.write(chunk)) return void socket.once("drain", write);
        }
      };
      write();
    });
    expect(await outcomeOf(`http://127.0.0.1:${port}/`, { timeoutMs: 5_000 })).toBe("delivered");
    const closed = Promise.withResolvers<void>();
    for (const socket of sockets) socket.once("close", closed.resolve);
    await closed.promise;
    expect(sent).toBeLessThan(100_000_000);
    const head = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx";
    expect(await outcomeOf(`http://127.0.0.1:${await portOf((socket) => void socket.write(head))}/`)).toBe("delivered");
  });

  test("a head without end, a compressed body that swells, another protocol and a connection that closes are failures or ignored", async () => {
    const endless = await portOf((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const write = (): void => {
        while (!socket.destroyed)
          if (!socket.write(`x-a: ${"a".repeat(1_000)}\r\n`)) return void socket.once("drain", write);
      };
      write();
    });
    const bomb = Bun.gzipSync(Buffer.alloc(50_000_000));
    const gzipped = await portOf((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    });
    const closing = await portOf((socket) => void socket.destroy());
    const refusing = await receiver((socket) => void socket.destroy());
    expect(await outcomeOf(`http://127.0.0.1:${endless}/`, { timeoutMs: 5_000 })).toBe("unreachable");
    expect(await outcomeOf(`http://127.0.0.1:${gzipped}/`, { timeoutMs: 5_000 })).toBe("delivered");
    expect(await outcomeOf(`http://127.0.0.1:${closing}/`)).toBe("unreachable");
    expect(await outcomeOf(`http://127.0.0.1:${refusing}/`)).toBe("unreachable");
    expect(
      await outcomeOf(`http://127.0.0.1:${await receiver((socket) => void socket.write("SSH-2.0-x\r\n"))}/`),
    ).not.toBe("delivered");
    expect(await outcomeOf(`https://127.0.0.1:${closing}/`)).toBe("unreachable");
    expect(await outcomeOf("http://127.0.0.1:1/")).toBe("unreachable");
  });

  test("a redirect is not followed, wherever it leads", async () => {
    let requests = 0;
    const port: number = await receiver((socket) =>
      socket.once("data", () => {
        requests += 1;
        socket.end(`HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${port}/\r\ncontent-length: 0\r\n\r\n`);
      }),
    );
    expect(await outcomeOf(`http://127.0.0.1:${port}/`)).toBe("refused");
    expect(requests).toBe(1);
    const away =
      "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://169.254.169.254/latest\r\ncontent-length: 0\r\n\r\n";
    const { outcome, message } = await attempt(`http://127.0.0.1:${await receiver(answers(away))}/`);
    expect([outcome, message]).toEqual(["refused", "it answered 307 and redirects are not followed"]);
  });
});

test("the status decides, and Retry-After is read in both forms and bounded", async () => {
  const after = (status: string, retryAfter?: string) =>
    receiver(
      answers(
        `HTTP/1.1 ${status}\r\n${retryAfter === undefined ? "" : `retry-after: ${retryAfter}\r\n`}content-length: 0\r\n\r\n`,
      ),
    );
  const seen = async (status: string, retryAfter?: string) =>
    attempt(`http://127.0.0.1:${await after(status, retryAfter)}/`);
  expect((await seen("202 Accepted")).outcome).toBe("delivered");
  for (const status of ["400 Bad Request", "404 Not Found", "500 Internal Server Error", "304 Not Modified"])
    expect((await seen(status)).outcome).toBe("refused");
  expect((await seen("410 Gone")).outcome).toBe("gone");
  expect((await seen("503 Service Unavailable", "120")).retryAfterMs).toBe(120_000);
  expect((await seen("429 Too Many Requests", "999999999")).retryAfterMs).toBe(6 * 3_600_000);
  const inAMinute =
    (await seen("503 Service Unavailable", new Date(Date.now() + 60_000).toUTCString())).retryAfterMs ?? 0;
  expect(inAMinute).toBeGreaterThan(50_000);
  for (const bad of ["soon", "-5", "Thu, 01 Jan 1970 00:00:00 GMT"])
    expect((await seen("503 Service Unavailable", bad)).retryAfterMs).toBeUndefined();
});

describe("W-10 a webhook reaches no address that it must not:", () => {
  const nowhere: Resolve = async () => {
    throw new Error("a second look-up");
  };

  test("neither by number in any spelling, nor by a name, nor by one address among several", async () => {
    const numbers = [
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "10.0.0.1",
      "192.168.1.1",
    ];
    for (const host of [...numbers, "[fd00::1]", "100.64.0.1", "172.16.0.1", "[64:ff9b::10.0.0.1]"])
      expect(await outcomeOf(`http://${host}/`, { allowPrivate: false, resolve: nowhere })).toBe("forbidden_address");
    expect(await outcomeOf("http://localhost/", { allowPrivate: false })).toBe("forbidden_address");
    const mixed: Resolve = async () => ["198.51.100.7", "10.0.0.1"];
    expect(await outcomeOf("http://receiver.example.test/", { allowPrivate: false, resolve: mixed })).toBe(
      "forbidden_address",
    );
  });

  test("of link-local and metadata addresses none is reached even where private ones are allowed", async () => {
    const hosts = [
      "169.254.169.254",
      "[fe80::1]",
      "[fd00:ec2::254]",
      "100.100.100.200",
      "168.63.129.16",
      "0.0.0.0",
      "[::]",
      "224.0.0.1",
    ];
    for (const host of [
      ...hosts,
      "255.255.255.255",
      "[ff02::1]",
      "[::ffff:169.254.169.254]",
      "[64:ff9b::169.254.169.254]",
    ])
      expect(await outcomeOf(`http://${host}/`, { resolve: nowhere })).toBe("forbidden_address");
    const zoned: Resolve = async () => ["fe80::1%eth0"];
    expect(await outcomeOf("http://receiver.example.test/", { resolve: zoned })).toBe("forbidden_address");
  });

  test("the name is looked up once, and the connection goes to what was found (DNS rebinding)", async () => {
    let asked = 0;
    const port = await receiver(answers("HTTP/1.1 204 No Content\r\n\r\n"));
    const resolve: Resolve = async () => {
      asked += 1;
      return ["127.0.0.1"];
    };
    // No other resolver knows the name, so that a second look-up anywhere would fail.
    expect(await outcomeOf(`http://receiver.example.test:${port}/`, { resolve })).toBe("delivered");
    expect(asked).toBe(1);
  });

  test("where nobody listens at one address the next is tried; a name without one, or a resolver that hangs, is a failure", async () => {
    const port = await receiver(answers("HTTP/1.1 204 No Content\r\n\r\n"));
    expect(
      await outcomeOf(`http://receiver.example.test:${port}/`, { resolve: async () => ["127.0.0.2", "127.0.0.1"] }),
    ).toBe("delivered");
    expect(await outcomeOf("http://receiver.example.test/", { resolve: async () => [] })).toBe("unreachable");
    expect(await outcomeOf("http://receiver.invalid/")).toBe("unreachable");
    expect(await outcomeOf("http://receiver.example.test/", { resolve: () => new Promise(() => {}) })).toBe("timeout");
  });
});

test("a worker that stops ends an attempt with its own reason", async () => {
  const stopping = new AbortController();
  const port = await portOf(() => stopping.abort(new Error("shut down")));
  await expect(attempt(`http://127.0.0.1:${port}/`, { signal: stopping.signal, timeoutMs: 5_000 })).rejects.toThrow(
    "shut down",
  );
});

test("the reach of an address", () => {
  const reaches = {
    public: ["8.8.8.8", "2606:4700::1111", "64:ff9b::8.8.8.8", "::ffff:8.8.8.8"],
    private: ["10.1.2.3", "127.0.0.1", "::1", "fd12::1", "100.64.0.1", "64:ff9b::10.0.0.1"],
    none: [
      "0.0.0.0",
      "169.254.1.1",
      "fe80::1",
      "2002:7f00:1::",
      "2001::1",
      "2001:db8::1",
      "64:ff9b:1::1",
      "::8.8.8.8",
      "x",
      "",
    ],
  };
  for (const [reach, addresses] of Object.entries(reaches))
    expect(addresses.map((address) => `${address} ${reachOf(address)}`)).toEqual(
      addresses.map((each) => `${each} ${reach}`),
    );
});

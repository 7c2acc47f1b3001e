import { connect, createServer, type Socket } from "node:net";

/** What stands where Gatehouse should be: the real one, or something that must open nothing and hold nobody up. */
export const hostileAnswers = {
  closes: undefined,
  hangs: "",
  "sends a byte now and then": "HTTP/1.1 204 No Content\r\nX-Auth-User-Id: ",
  "leads elsewhere": "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
  "sends endless headers": "HTTP/1.1 204 No Content\r\n",
  "sends an endless body": `HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  "speaks no HTTP": "SSH-2.0-OpenSSH_9.2\r\n",
  "answers 200 to everything": "HTTP/1.1 200 OK\r\nX-Auth-User-Id: 1\r\nContent-Length: 2\r\n\r\nok",
  "says yes, and not to whom": "HTTP/1.1 204 No Content\r\n\r\n",
  "is another server that refuses":
    "HTTP/1.1 401 Unauthorized\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
  "is broken": "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
} as const;
export type Hostility = keyof typeof hostileAnswers;

/** What follows the beginning of an answer, again and again. */
const endless: { readonly [Name in Hostility]?: { readonly text: string; readonly everyMs: number } } = {
  "sends a byte now and then": { text: "0", everyMs: 50 },
  "sends endless headers": { text: `X-Filler: ${"x".repeat(1_000)}\r\n`.repeat(64), everyMs: 1 },
  "sends an endless body": { text: `10000\r\n${"x".repeat(0x1_0000)}\r\n`, everyMs: 1 },
};

export interface Doorway {
  readonly url: string;
  /** Requests as they arrived, beginning with the newest change of what stands there. */
  heads(): readonly string[];
  become(what: Hostility | "Gatehouse"): void;
  stop(): Promise<void>;
}

/** Starts what an app takes for Gatehouse. It passes everything on to the real one, until it becomes something else. */
export async function startDoorway(gatehousePort: number): Promise<Doorway> {
  const sockets = new Set<Socket>();
  const timers = new Set<Timer>();
  let now: Hostility | "Gatehouse" = "Gatehouse";
  let heads: string[] = [];

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  }

  function pretend(socket: Socket, as: Hostility): void {
    const begins = hostileAnswers[as];
    if (begins === undefined) return void socket.destroy();
    socket.write(begins);
    const more = endless[as];
    if (more === undefined) return;
    const timer = setInterval(() => {
      // A reader that does not read makes this wait, and not grow.
      if (socket.writableLength < 1_000_000) socket.write(more.text);
    }, more.everyMs);
    timers.add(timer);
    socket.on("close", () => {
      clearInterval(timer);
      timers.delete(timer);
    });
  }

  const server = createServer((client) => {
    keep(client);
    let upstream: Socket | undefined;
    let text = "";
    client.on("data", (bytes) => {
      text += bytes.toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end !== -1; end = text.indexOf("\r\n\r\n")) {
        const head = text.slice(0, end + 4);
        text = text.slice(end + 4);
        heads.push(head);
        if (now !== "Gatehouse") {
          pretend(client, now);
          continue;
        }
        if (upstream === undefined) {
          upstream = keep(connect(gatehousePort, "127.0.0.1"));
          upstream.on("data", (answer) => client.write(answer));
          upstream.on("close", () => client.destroy());
        }
        upstream.write(Buffer.from(head, "latin1"));
      }
    });
    client.on("close", () => upstream?.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the doorway has no port");

  return {
    url: `http://127.0.0.1:${address.port}`,
    heads: () => heads,
    become(what) {
      now = what;
      heads = [];
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

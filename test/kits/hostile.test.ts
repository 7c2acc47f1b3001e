import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { nodeMissing } from "../examples/examples.fixture.ts";
import { sharedFolder } from "../support/folder.ts";
import { installPackage, npmMissing } from "./installed.fixture.ts";

// What answers under the address of Gatehouse may be anything: a proxy that is set up wrong, another service, or an attacker.
const timeoutMs = 500;
const id = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b";
const head = (status: string, ...lines: string[]): string => `HTTP/1.1 ${status}\r\n${lines.join("\r\n")}\r\n\r\n`;
const told = [`X-Auth-User-Id: ${id}`, "X-Auth-Username: ada", "X-Auth-Email: ada%40example.com"];
const kilobyte = "x".repeat(1024);
const endless = "endless";

/** What is answered, by the path below which the gate asks. What ends with `endless` goes on until nobody listens. */
const answers: Readonly<Record<string, string>> = {
  "huge-header": head("204 No Content", ...told, ...Array.from({ length: 4096 }, () => `X-Fill: ${kilobyte}`)),
  "endless-header": `HTTP/1.1 204 No Content\r\n${told.join("\r\n")}\r\nX-Fill: ${endless}`,
  "endless-body": head("401 Unauthorized", "Content-Type: application/json") + endless,
  "endless-page": head("200 OK", "Content-Type: text/html") + endless,
  redirect: head("302 Found", "Location: /good/api/v1/auth/verify", "Content-Length: 0"),
  silent: "",
  "half-an-answer": head("403 Forbidden", "Content-Length: 100") + '{"ok":false',
  nonsense: "SSH-2.0-OpenSSH_9.9\r\n",
  "closed at once": "close",
  "a page": head("200 OK", "Content-Type: text/html", "Content-Length: 5") + "hello",
  "nobody let in": head("204 No Content"),
  "an odd id": head("204 No Content", "X-Auth-User-Id: 1; drop"),
  "odd claims": head("204 No Content", ...told, "X-Auth-Claims: bm9uc2Vuc2U"),
  "odd name": head("204 No Content", ...told, "X-Auth-Username: %"),
  "other refusal": head("418 I'm a teapot", "Content-Length: 18") + '{"code":"a_teapot"}',
  "long wait":
    head("503 Service Unavailable", "Retry-After: 99999999999", "Content-Length: 22") + '{"code":"maintenance"}',
};
const good = head(
  "204 No Content",
  ...told,
  "Set-Cookie: auth_access=new; Path=/; HttpOnly",
  "Set-Cookie: other=1; Path=/",
  "Set-Cookie: session=stolen; Path=/",
  ...Array.from({ length: 50 }, (_, index) => `Set-Cookie: auth_refresh=${index}; Path=/`),
  "Location: https://evil.example",
  "Access-Control-Allow-Origin: *",
);

interface Peer {
  head: string;
  flooding: boolean;
}

const asked: string[] = [];
let flooded = 0;
const server = Bun.listen<Peer>({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open: (socket) => void (socket.data = { head: "", flooding: false }),
    data(socket, bytes) {
      socket.data.head += bytes.toString("latin1");
      if (!socket.data.head.endsWith("\r\n\r\n")) return;
      const kind = decodeURIComponent(/^GET \/([^/]*)/.exec(socket.data.head)?.[1] ?? "");
      asked.push(kind);
      socket.data.head = "";
      const answer = kind === "good" ? good : (answers[kind] ?? "");
      if (answer === "close") return void socket.end();
      socket.data.flooding = answer.endsWith(endless);
      socket.write(answer.replace(new RegExp(`${endless}$`), ""));
      if (socket.data.flooding) flood(socket);
    },
    drain(socket) {
      if (socket.data.flooding) flood(socket);
    },
    error: () => undefined,
  },
});
afterAll(() => server.stop(true));
function flood(socket: Bun.Socket<Peer>): void {
  let written = 1;
  while (written > 0 && flooded < 1e9) flooded += written = Math.max(0, socket.write(kilobyte));
}

const missing = npmMissing ?? nodeMissing;
const folder = sharedFolder();
const program = `import { createGate } from "gatehouse-client/server";
const [origin, timeoutMs, ...kinds] = process.argv.slice(2);
const told = {};
for (const kind of kinds) {
  const gate = createGate({ baseUrl: origin + "/" + encodeURIComponent(kind), timeoutMs: Number(timeoutMs) });
  const request = new Request("https://app.example.com/", { headers: { cookie: "auth_access=x" } });
  const begun = performance.now();
  const { user, headers, response } = await gate(request, { optional: true });
  const given = response?.headers ?? headers;
  told[kind] = {
    tookMs: Math.round(performance.now() - begun),
    user,
    status: response?.status,
    code: response && (await response.json()).code,
    retryAfter: given.get("retry-after"),
    cookies: given.getSetCookie(),
    names: [...given.keys()],
  };
}
console.log(JSON.stringify({ told, megabytes: process.memoryUsage().rss / 2 ** 20 }));
process.exit(0);`;

interface Outcome {
  readonly tookMs: number;
  readonly user?: { readonly id: string } | null;
  readonly status?: number;
  readonly code?: string;
  readonly retryAfter: string | null;
  readonly cookies: readonly string[];
  readonly names: readonly string[];
}
interface Report {
  readonly told: Readonly<Record<string, Outcome>>;
  readonly megabytes: number;
}

describe.skipIf(missing !== undefined)(
  `a stranger in place of Gatehouse${missing === undefined ? "" : ` (${missing})`}`,
  () => {
    let app = "";
    beforeAll(async () => {
      app = await installPackage(folder);
      await Bun.write(join(app, "program.js"), program);
    }, 60_000);

    async function run(runtime: string, kinds: readonly string[]): Promise<Report> {
      const args = [`http://127.0.0.1:${server.port}`, String(timeoutMs), ...kinds];
      const child = Bun.spawn([runtime, "program.js", ...args], { cwd: app, stdout: "pipe", stderr: "pipe" });
      const [output, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      if ((await child.exited) !== 0) throw new Error(complaints);
      const report: Report = JSON.parse(output);
      return report;
    }

    test.each([["node"], ["bun"]])(
      "Q-06 lets nobody in, and holds nobody up: %s",
      async (name) => {
        const runtime = name === "bun" ? process.execPath : name;
        flooded = 0;
        asked.length = 0;
        const { told, megabytes } = await run(runtime, Object.keys(answers));
        const opened = Object.entries(told).filter(([, { status, code }]) => status !== 503 || code === undefined);
        expect(opened).toEqual([]);
        for (const [kind, { tookMs, retryAfter, cookies }] of Object.entries(told)) {
          expect([kind, tookMs < timeoutMs + 2_000]).toEqual([kind, true]);
          expect([kind, Number(retryAfter) >= 1 && Number(retryAfter) <= 3600]).toEqual([kind, true]);
          expect(cookies).toEqual([]);
        }
        expect(asked).not.toContain("good");
        // A connection that broke is tried once more, and no more.
        expect(asked.filter((kind) => kind === "closed at once")).toHaveLength(2);
        expect(megabytes).toBeLessThan(300);
        expect(flooded).toBeLessThan(50e6);
      },
      60_000,
    );

    test("Q-06 hands on the cookies of a session alone, few of them, and no header", async () => {
      const { told } = await run("node", ["good"]);
      expect(told["good"]?.user?.id).toBe(id);
      expect(told["good"]?.cookies.length).toBeLessThanOrEqual(20);
      expect(told["good"]?.cookies.filter((cookie) => !/^auth_(?:access|refresh)=/.test(cookie))).toEqual([]);
      expect(new Set(told["good"]?.names)).toEqual(new Set(["cache-control", "set-cookie"]));
    });
  },
);

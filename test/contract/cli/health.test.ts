import { afterEach, describe, expect, test } from "bun:test";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { sharedFolder } from "../../support/folder.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

endTargetsAfterEach();

const token = "the-diagnostic-token-of-this-test";
const started: Bun.Server<undefined>[] = [];
const cwd = sharedFolder();
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop(true)));
});

interface AskedFor {
  readonly path: string;
  readonly authorization: string | null;
}

/** Starts an app that answers as told, and keeps the requests that it got. */
function startApp(
  answer: (request: Request) => Response | Promise<Response>,
  hostname = "127.0.0.1",
): {
  port: number;
  url: string;
  requests: AskedFor[];
} {
  const requests: AskedFor[] = [];
  const server = Bun.serve({
    hostname,
    port: 0,
    fetch(request) {
      requests.push({ path: new URL(request.url).pathname, authorization: request.headers.get("authorization") });
      return answer(request);
    },
  });
  started.push(server);
  return { port: Number(server.port), url: server.url.origin, requests };
}

const health = (args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> =>
  runGatehouse(["health", ...args], { cwd, env: { ...testEnvironment(cwd), APP_DIAG_TOKEN: token, ...env } });

const notReady = {
  status: "not_ready",
  app: "app",
  checks: [{ type: "db", name: "default", driver: "sqlite", status: "failed", duration_ms: 1, error: "disk on fire" }],
};

describe("health", () => {
  test("asks 127.0.0.1 at the app's port for readiness, with the diagnostic token as bearer", async () => {
    const app = startApp(() => Response.json({ status: "ready", app: "app", checks: [] }));
    const { code, stdout } = await health(["--fail"], { API_HTTP_PORT: String(app.port) });
    expect(code).toBe(0);
    expect(stdout).toContain("200 ready");
    expect(app.requests).toEqual([{ path: "/-/ready", authorization: `Bearer ${token}` }]);
  });

  test("asks an app that listens on ::1 alone, by its URL and without one", async () => {
    const app = startApp(() => Response.json({ status: "ready", app: "app", checks: [] }), "::1");
    const env = { API_HTTP_HOST: "::1", API_HTTP_PORT: String(app.port) };
    expect((await health([`http://[::1]:${app.port}`, "--fail"])).code).toBe(0);
    expect((await health(["--fail"], env)).code).toBe(0);
    expect(app.requests).toHaveLength(2);
    const target = await startTarget({ env: { API_HTTP_HOST: "::1" }, roles: ["http"], ownProcess: true });
    const { code, stdout } = await health([`http://[::1]:${target.port}`, "--fail"]);
    expect({ code, ready: stdout.includes("200 ready") }).toEqual({ code: 0, ready: true });
    await target.stop();
  });

  test("keeps the path of its URL, under which a proxy has the app", async () => {
    const app = startApp(() => Response.json({ status: "ready", app: "app", checks: [] }));
    for (const path of ["", "/", "/auth", "/auth/", "/a/b/?x=1#y"]) await health([`${app.url}${path}`]);
    expect(app.requests.map(({ path }) => path)).toEqual([
      "/-/ready",
      "/-/ready",
      "/auth/-/ready",
      "/auth/-/ready",
      "/a/b/-/ready",
    ]);
  });

  test("sends the token for readiness only, and only when there is one", async () => {
    const app = startApp(() => Response.json({ status: "ok" }));
    await health([app.url, "--probe", "health"]);
    await health([app.url], { APP_DIAG_TOKEN: "" });
    expect(app.requests.map(({ authorization }) => authorization)).toEqual([null, null]);
  });

  test("shows the failed check; exits with 1 only with --fail", async () => {
    const app = startApp(() => Response.json(notReady, { status: 503 }));
    const told = await health([app.url]);
    expect(told.code).toBe(0);
    expect(told.stdout).toContain("disk on fire");
    expect((await health([app.url, "--fail"])).code).toBe(1);
  });

  test("--json is one line with the whole report", async () => {
    const app = startApp(() => Response.json(notReady, { status: 503 }));
    const { stdout } = await health([app.url, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      probe: "ready",
      ok: false,
      status: 503,
      text: "not_ready",
      checks: [{ error: "disk on fire" }],
    });
  });

  test("nobody there is a failure", async () => {
    const app = startApp(() => new Response());
    await started.splice(0)[0]?.stop(true);
    const { code, stdout } = await health([app.url, "--fail"]);
    expect(code).toBe(1);
    expect(stdout).toContain(app.url);
  });

  test("waits no longer than --timeout-ms, for the body neither", async () => {
    const silent = startApp(() => new Promise<Response>(() => {}));
    const trickling = startApp(() => new Response(new ReadableStream({ start: (stream) => stream.enqueue("{") })));
    for (const { url } of [silent, trickling]) {
      const { code, stdout } = await health([url, "--timeout-ms", "150", "--fail"]);
      expect(code).toBe(1);
      expect(stdout).toContain("no answer within 150 ms");
    }
  });

  test("follows no redirect, so that the token stays with the named host", async () => {
    const other = startApp(() => Response.json({ status: "ready" }));
    const app = startApp(() => Response.redirect(other.url, 302));
    expect((await health([app.url, "--fail"])).code).toBe(1);
    expect(other.requests).toHaveLength(0);
  });

  test("goes through no proxy of the environment, so that the token stays on the host", async () => {
    const proxy = startApp(() => Response.json({ status: "ready" }));
    const app = startApp(() => Response.json({ status: "ready" }));
    await health([app.url], { HTTP_PROXY: proxy.url, http_proxy: proxy.url });
    expect([proxy.requests.length, app.requests.length]).toEqual([0, 1]);
  });

  test("reads a bounded answer, and takes only a probe's answer for one", async () => {
    const chunk = new Uint8Array(64 * 1024);
    const endless = startApp(() => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(chunk) })));
    const other = startApp(() => new Response("<h1>welcome</h1>"));
    for (const { url } of [endless, other]) expect((await health([url, "--fail"])).code).toBe(1);
  });
});

import { afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { testEnvironment } from "../../support/environment.ts";
import { controlOf, isOpen } from "../../support/maintenance.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";
import { sharedFolder } from "../../support/folder.ts";

endTargetsAfterEach();
const servers: Bun.Server<undefined>[] = [];
const cwd = sharedFolder();
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
});

const maintenance = (
  action: string,
  port: number,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<CommandResult> =>
  runGatehouse([`maintenance:${action}`, ...args], {
    cwd,
    env: { ...testEnvironment(cwd), API_HTTP_PORT: String(port), ...env },
  });

/** Starts a server that is no Gatehouse. Returns its port. */
function serve(answer: () => Response): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  servers.push(server);
  return Number(server.port);
}

const startApp = (env: Record<string, string> = {}): Promise<Target> => startTarget({ roles: ["http"], env });

describe("maintenance:enable, :disable and :status", () => {
  test("switch the running app and say what holds", async () => {
    const app = await startApp();
    const told = async (action: string) => {
      const { code, stdout, stderr } = await maintenance(action, app.port);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout;
    };
    expect(await told("status")).toBe("maintenance is off (this process only, until it ends)\n");
    expect(await told("enable")).toBe("maintenance is on\n");
    expect(await isOpen(app)).toBe(false);
    expect(await told("status")).toBe(
      "maintenance is on: maintenance:enable was called (this process only, until it ends)\n",
    );
    expect(await told("disable")).toBe("maintenance is off\n");
    expect(await isOpen(app)).toBe(true);
    await app.stop();
  });

  test("--json is the app's answer, or the reason why there is none", async () => {
    const app = await startApp();
    const json = async (action: string, env = {}): Promise<unknown> =>
      JSON.parse((await maintenance(action, app.port, env, ["--json"])).stdout);
    expect(await json("enable")).toEqual({ ok: true, maintenance: true });
    expect(await json("status")).toEqual({ ok: true, maintenance: true, driver: "memory", reason: "command" });
    expect(await json("disable", { APP_DIAG_TOKEN: "another-token-0123456789" })).toEqual({
      ok: false,
      error: expect.stringContaining("refused the diagnostic token"),
    });
    await app.stop();
  });

  test("reach an app on every address over 127.0.0.1, and one on ::1 over it", async () => {
    for (const API_HTTP_HOST of ["0.0.0.0", "::1"]) {
      const app = await startApp({ API_HTTP_HOST });
      const { code, stdout } = await maintenance("enable", app.port, { API_HTTP_HOST });
      expect({ API_HTTP_HOST, code, stdout }).toEqual({ API_HTTP_HOST, code: 0, stdout: "maintenance is on\n" });
      await app.stop();
    }
  });

  test("the admin binary calls the admin app, with its own port and token", async () => {
    const own = { ADMIN_APP_DIAG_TOKEN: "the-admin-apps-own-token-0123456789" };
    const admin = await startTarget({ app: "admin", roles: ["http"], env: own });
    const env = { ...testEnvironment(cwd), ...own, API_HTTP_PORT: "1", ADMIN_API_HTTP_PORT: String(admin.port) };
    const { code, stdout } = await runGatehouse(["maintenance:enable"], { app: "admin", cwd, env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "maintenance is on\n" });
    expect((await fetch(`http://127.0.0.1:${admin.port}/login`)).status).toBe(503);
    await admin.stop();
  });

  test("409: what the environment keeps on is not switched off", async () => {
    const app = await startApp({ APP_MAINTENANCE_ENABLED: "true" });
    const { code, stdout, stderr } = await maintenance("disable", app.port);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("APP_MAINTENANCE_ENABLED");
    expect((await maintenance("status", app.port)).stdout).toContain("APP_MAINTENANCE_ENABLED is true");
    await app.stop();
  });

  test("401: another token fails, and neither token comes out", async () => {
    const app = await startApp();
    const token = "another-token-0123456789";
    const { code, stdout, stderr } = await maintenance("enable", app.port, { APP_DIAG_TOKEN: token });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("refused the diagnostic token: APP_DIAG_TOKEN");
    for (const secret of [token, app.env["APP_DIAG_TOKEN"] ?? "?"]) expect(stderr).not.toContain(secret);
    expect(await isOpen(app)).toBe(true);
    await app.stop();
  });

  test("nobody there, somebody else there and a state that can't be stored fail, and say so", async () => {
    const port = serve(() => new Response());
    await servers.splice(0)[0]?.stop(true);
    const absent = await maintenance("enable", port);
    expect([absent.code, absent.stderr]).toEqual([
      1,
      expect.stringContaining(`no app answers at http://127.0.0.1:${port}`),
    ]);
    for (const [answer, words] of [
      [() => new Response("welcome"), "an answer that is not the app's"],
      [() => new Response(null, { status: 404 }), "has no maintenance control for this call"],
      [() => Response.redirect("http://127.0.0.1:1/", 302), "answered 302"],
      [() => Response.json({ ok: false, error: "service unavailable" }, { status: 503 }), "503: service unavailable"],
    ] as const) {
      const { code, stdout, stderr } = await maintenance("enable", serve(answer));
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(words);
    }
  });

  test("without a token or a port to call they exit with 2, and name both", async () => {
    const { code, stderr } = await maintenance("status", 0, { APP_DIAG_TOKEN: "" });
    expect(code).toBe(2);
    for (const name of ["APP_DIAG_TOKEN", "API_HTTP_PORT"]) expect(stderr).toContain(name);
  });

  test("send the token through no proxy of the environment, and touch no file", async () => {
    const proxied: string[] = [];
    const proxy = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => (proxied.push(request.url), new Response()),
    });
    servers.push(proxy);
    const app = await startApp();
    const url = `http://127.0.0.1:${proxy.port}`;
    expect((await maintenance("enable", app.port, { HTTP_PROXY: url, http_proxy: url })).code).toBe(0);
    expect(proxied).toEqual([]);
    expect(existsSync(join(cwd, "data"))).toBe(false);
    expect((await controlOf(app).status()).at("maintenance")).toBe(true);
    await app.stop();
  });
});

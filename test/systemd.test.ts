import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { loadConfig, type AppName, type SplitRole } from "../src/config/index.ts";
import { randomToken } from "../src/core/crypto.ts";
import { definitions } from "./support/definitions.ts";
import { controlOf, sharedState, untilOpen } from "./support/maintenance.ts";
import { openRows } from "./support/rows.ts";
import { endTargetsAfterEach, startTarget } from "./support/target.ts";

endTargetsAfterEach();

// What holds of systemd/ without a systemd; test/release boots one.
const folder = join(import.meta.dir, "..", "systemd");
const read = (path: string): string => readFileSync(join(folder, path), "utf8");
const units = readdirSync(join(folder, "units")).filter((name) => /\.(?:service|target)$/.test(name));
const services = units.filter((name) => name.endsWith(".service") && !name.includes("-migrate@"));
const handBackMs = 5_000;

const addresses = {
  DB_URL: "postgres://gatehouse:password@10.0.0.10:5432/gatehouse?sslmode=verify-full",
  REDIS_URL: "redis://gatehouse:password@10.0.0.30:6379/0",
};

function exampleConfig(app: AppName, role: SplitRole, file = "gatehouse.env.example") {
  const own = { API_JWT_SECRET_KEY: randomToken(), APP_KEY: randomToken(), APP_DIAG_TOKEN: randomToken() };
  const secrets = file === "gatehouse.hosts.env.example" ? { ...own, ...addresses } : own;
  const loaded = loadConfig({
    app: definitions[app],
    role,
    env: { ...parseEnv(read(file)), ...secrets },
  });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.config;
}

test("both apps have the same units", () => {
  const of = (app: string): string[] =>
    units
      .filter((name) => /^gatehouse-admin[-.]/.test(name) === (app === "gatehouse-admin"))
      .map((name) => name.replace(app, ""));
  expect(of("gatehouse")).toHaveLength(6);
  expect(of("gatehouse-admin").toSorted()).toEqual(of("gatehouse").toSorted());
});

test("the example of settings, with secrets, is one that production takes", () => {
  for (const app of ["app", "admin"] as const)
    for (const role of ["api", "worker", "scheduler"] as const)
      expect(exampleConfig(app, role).app.env).toBe("production");
  for (const role of ["api", "worker", "scheduler"] as const)
    expect(exampleConfig("app", role, "gatehouse.hosts.env.example").database.driver).toBe("postgres");
});

test("by the example of settings each app has a port of its own, so that the kernel hands no request to the other app", () => {
  const portOf = (app: AppName): number => exampleConfig(app, "api").http.port;
  expect({ app: portOf("app"), admin: portOf("admin") }).toEqual({ app: 3000, admin: 3001 });
});

test("every service may take longer to stop than its longest way to an end", () => {
  const { app, queue } = exampleConfig("app", "api");
  const longestMs = Math.max(app.drainDelayMs + app.shutdownTimeoutMs, queue.shutdownTimeoutMs) + handBackMs;
  expect(services).toHaveLength(8);
  for (const service of services) {
    const seconds = /^TimeoutStopSec=(\d+)s$/m.exec(read(join("units", service)))?.[1];
    expect(Number(seconds) * 1_000).toBeGreaterThan(longestMs);
  }
});

/** The functions of rolling-release that ask an instance, on one that is not systemd's. */
const askedBy = (port: number, smoke: string) => `
set -Eeuo pipefail
source <(sed -n '/^ask() {/,/^}/p; /^answers() {/,/^}/p' ${join(folder, "rolling-release")})
main_pid() { echo 1; }
address_of() { echo 127.0.0.1 ${port}; }
reaches() { true; }
closed=no smoke='${smoke}'
if answers unit; then echo "yes, closed: $closed"; else echo no; fi`;

test("rolling-release takes an instance in maintenance for one that serves, and no other whose smoke request fails", async () => {
  const target = await startTarget({ roles: ["http"], env: sharedState, ownProcess: true });
  const asked = async (smoke: string): Promise<string> => {
    const bash = Bun.spawn(["bash", "-c", askedBy(target.port, smoke)], { stderr: "inherit" });
    return (await bash.stdout.text()).trim();
  };
  expect(await asked("/api/v1/hello 401")).toBe("yes, closed: no");
  expect(await asked("/api/v1/hello 200")).toBe("no");
  await controlOf(target).enable();
  await untilOpen(target, false);
  expect(await asked("/api/v1/hello 401")).toBe("yes, closed: yes");
  expect(await asked("/a/page/of/the/app 200")).toBe("yes, closed: yes");
  expect(await asked("/-/health 200")).toBe("yes, closed: no");
  // An instance that can't read whether it is closed refuses as well, but is not ready.
  const rows = openRows(target.databasePath);
  rows.run("alter table cache_entries rename to cache_elsewhere");
  expect(await asked("/api/v1/hello 401")).toBe("no");
  rows.run("alter table cache_elsewhere rename to cache_entries");
  rows.close();
  await target.stop();
});

test("rolling-release explains itself, and refuses a command line that it does not understand", () => {
  const run = (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["bash", join(folder, "rolling-release"), ...args]);
    return { exitCode, said: `${stdout.toString()}${stderr.toString()}` };
  };
  expect(run("--help")).toEqual({ exitCode: 0, said: expect.stringContaining("--rollback") });
  for (const args of [
    [],
    ["--nonsense"],
    ["a", "b"],
    ["--rollback", "a"],
    ["--settle", "soon", "a"],
    ["--rollback", "--create-database"],
    ["--app", "other", "a"],
  ])
    expect(run(...args)).toEqual({ exitCode: 2, said: expect.stringMatching(/\nrolling-release: \S/) });
});

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { groups } from "../src/cli/table.ts";
import { loadConfig, type AppName, type SplitRole } from "../src/config/index.ts";
import { randomToken } from "../src/core/crypto.ts";
import { definitions } from "./support/definitions.ts";

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

test("a command of a host has the files opened by its caller that any command names", async () => {
  const listed = /^ {2}(backup:create[^)]*)\)$/m.exec(read("gatehouse-command"))?.[1]?.split(" | ");
  const naming: string[] = [];
  for (const [name, { load }] of groups.flatMap(({ commands }) => Object.entries(commands)))
    if (Object.keys((await load()).files).length > 0) naming.push(name);
  expect<readonly string[]>(naming.toSorted()).toEqual(listed ?? []);
});

test("a migration, which may hold the lock that others wait for, has ten times a service's share of a busy processor", () => {
  const weights = units.map((name) => /^CPUWeight=(\d+)$/m.exec(read(join("units", name)))?.[1]);
  expect(units.filter((_, index) => weights[index] !== undefined)).toEqual(
    units.filter((name) => name.includes("-migrate@")),
  );
  expect(weights.filter((weight) => weight !== undefined)).toEqual(["1000", "1000"]);
  expect(read("gatehouse-command")).toContain("if [[ ${1:-} == migrate ]]; then weight=1000; fi");
});

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

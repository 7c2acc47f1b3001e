import { beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";
import { sharedFolder } from "../../support/folder.ts";

endTargetsAfterEach();

const folder = sharedFolder();
const secrets = {
  API_JWT_SECRET_KEY: "5Jx0m1nQyY2kq8Zb7dVtWc4RfGhP3sLa9uEoIiTjKe0",
  APP_KEY: "pW7zQk2Vn9sXc4Rb1tYh6Mj8Lf3Gd5Ae0UiOoPqErTy",
  APP_DIAG_TOKEN: "Zx9Cv8Bn7Mq6Wl5Ek4Rj3Th2Yg1Uf0IdOsPaQwErTyU",
} as const;
const names = Object.keys(secrets);
const fileOf = (name: string): string => join(folder, "secrets", name);
beforeAll(async () => {
  await mkdir(join(folder, "secrets"));
  for (const [name, secret] of Object.entries(secrets)) {
    await Bun.write(fileOf(name), `${secret}\n`);
    await chmod(fileOf(name), 0o600);
  }
});

/** Returns the test environment with its secrets in files. */
const inFiles = (): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(testEnvironment(folder)).filter(([name]) => !names.includes(name))),
  ...Object.fromEntries(names.map((name) => [`${name}_FILE`, fileOf(name)])),
  APP_ENV: "staging",
  APP_URL: "https://id.example.com",
});
const run = (args: readonly string[], env: Record<string, string>) => runGatehouse(args, { cwd: folder, env });

describe("secrets in files", () => {
  test("X-15 serve a running app, whose process environment never holds them", async () => {
    const hidden = { API_JWT_SECRET_KEY: "", APP_KEY: "", APP_DIAG_TOKEN: "" };
    const target = await startTarget({
      ownProcess: true,
      env: { ...inFiles(), ...hidden, DB_DATABASE: join(folder, "serving.db") },
    });
    const { APP_DIAG_TOKEN } = secrets;
    const ready = await createClient(target.url).get("/-/ready", {
      headers: { authorization: `Bearer ${APP_DIAG_TOKEN}` },
    });
    expect(ready.json).toMatchObject({ status: "ready", checks: expect.anything() });
    const environ = await Bun.file(`/proc/${target.pid}/environ`).text();
    expect(environ).toContain("APP_KEY_FILE");
    for (const secret of Object.values(secrets)) {
      expect(environ).not.toContain(secret);
      expect(target.logs()).not.toContain(secret);
    }
    const url = target.url;
    const health = await run(["health", url, "--json"], inFiles());
    expect(JSON.parse(health.stdout)).toMatchObject({ ok: true, checks: expect.arrayContaining([expect.anything()]) });
    await target.stop();
  });

  test("health asks without a token that it can't read, and says so", async () => {
    const env = { ...inFiles(), APP_DIAG_TOKEN_FILE: join(folder, "absent") };
    const { code, stderr } = await run(["health", "http://127.0.0.1:1"], env);
    expect(code).toBe(0);
    expect(stderr).toContain("APP_DIAG_TOKEN_FILE can't be read");
  });

  test("every command refuses bad ones with exit code 2, each by name, nothing on standard output", async () => {
    await Bun.write(join(folder, "empty"), "");
    const env = {
      ...inFiles(),
      APP_KEY_FILE: join(folder, "empty"),
      APP_DIAG_TOKEN_FILE: folder,
      API_JWT_SECRET_KEY: secrets.API_JWT_SECRET_KEY,
      API_HTTP_PORT: "port",
    };
    for (const command of [
      "env:check",
      "migrate",
      "migrate:status",
      "api",
      "worker",
      "scheduler",
      "run",
      "about",
      "route:list",
    ]) {
      const { code, stdout, stderr } = await run([command], env);
      expect({ command, code, stdout }).toEqual({ command, code: 2, stdout: "" });
      for (const reason of [
        "the file of APP_KEY_FILE is empty",
        "the file of APP_DIAG_TOKEN_FILE is a folder",
        "API_JWT_SECRET_KEY and API_JWT_SECRET_KEY_FILE are both given",
        "API_HTTP_PORT must be",
      ])
        expect(stderr).toContain(reason);
      for (const secret of Object.values(secrets)) expect(stderr).not.toContain(secret);
    }
  });
});

describe("env:check", () => {
  test("lists what was read from where, by name alone", async () => {
    await mkdir(join(folder, "credentials"));
    await Bun.write(join(folder, "credentials", "APP_KEY"), secrets.APP_KEY);
    const { APP_KEY_FILE: _, ...rest } = inFiles();
    const env = {
      ...rest,
      CREDENTIALS_DIRECTORY: join(folder, "credentials"),
      APP_API_HTTP_PORT: "4711",
      API_HTTP_PORT: "4712",
    };
    const { code, stdout } = await run(["env:check"], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}APP_ENV +process environment$/m);
    expect(stdout).toMatch(/^ {2}APP_KEY +credentials directory$/m);
    expect(stdout).toMatch(/^ {2}APP_DIAG_TOKEN_FILE +the file it names$/m);
    expect(stdout).toMatch(/^ {2}APP_API_HTTP_PORT +process environment$/m);
    for (const value of ["4711", "4712", "id.example.com", ...Object.values(secrets)])
      expect(stdout).not.toContain(value);

    const json: unknown = JSON.parse((await run(["env:check", "--json"], env)).stdout);
    expect(json).toMatchObject({ ok: true, app: "app", env: "staging", role: "run" });
    expect(json).toMatchObject({
      variables: expect.arrayContaining([
        { name: "API_HTTP_PORT", as: "APP_API_HTTP_PORT", from: "environment" },
        { name: "APP_KEY", as: "APP_KEY", from: "credentials" },
        { name: "APP_DIAG_TOKEN", as: "APP_DIAG_TOKEN_FILE", from: "file" },
      ]),
    });
  });

  test("--role checks for roles that run apart, as their start does", async () => {
    const env = { ...testEnvironment(folder), QUEUE_DRIVER: "sync" };
    expect((await run(["env:check"], env)).code).toBe(0);
    expect((await run(["env:check", "--role", "api"], env)).code).toBe(0);
    for (const args of [["env:check", "--role", "worker"], ["worker"]]) {
      const { code, stdout, stderr } = await run(args, env);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: "" });
      expect(stderr).toContain("QUEUE_DRIVER=sync leaves a worker nothing to do");
    }
    expect((await run(["env:check", "--role", "nobody"], env)).code).toBe(2);
  });
});

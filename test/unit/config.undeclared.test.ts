import { afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, resolveEnvironment } from "../../src/config/index.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { definitions } from "../support/definitions.ts";

const secrets = { API_JWT_SECRET_KEY: randomToken(), APP_KEY: randomToken(), APP_DIAG_TOKEN: randomToken() };
function problemsOf(env: Readonly<Record<string, string>>, app: "app" | "admin" = "app"): readonly string[] {
  const loaded = loadConfig({ app: definitions[app], env: { ...secrets, ...env } });
  return loaded.ok ? [] : loaded.problems;
}

let folder: string | undefined;
afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = undefined;
});

describe("X-31 a start without APP_ENV", () => {
  test.each([
    "https://auth.example.test",
    "http://192.168.0.7:3000",
    "http://0.0.0.0:3000",
    "http://localhost.example.test",
    "http://127.0.0.1.example.test",
    "http://[2001:db8::1]",
  ])("is refused at %s", (APP_URL) => {
    expect(problemsOf({ APP_URL })).toEqual([expect.stringContaining("APP_URL is not an address of this host")]);
    for (const APP_ENV of ["local", "testing"]) expect(problemsOf({ APP_URL, APP_ENV })).toEqual([]);
  });

  test.each([
    "http://127.0.0.1:3000",
    "http://127.8.0.1",
    "http://localhost:8080",
    "https://gatehouse.localhost",
    "http://[::1]:3000",
  ])("is local at %s", (APP_URL) => expect(problemsOf({ APP_URL })).toEqual([]));

  test.each([
    "APPENV",
    "APP_EN",
    "APP_ENVV",
    "APP_EVN",
    "AP_ENV",
    "API_ENV",
    "APP-ENV",
    "app_env",
    "App_Env",
    "ADMIN_APP_EVN",
    "APP_APP_EN",
  ])("is refused with %s", (name) => {
    expect(problemsOf({ [name]: "production" })).toContain(
      `APP_ENV is not set, and this is no local start: ${name} looks like a slip of it. Set APP_ENV=production, or APP_ENV=local if it is one`,
    );
    expect(problemsOf({ [name]: "production", APP_ENV: "local" })).toEqual([]);
  });

  test("names of others are no slips, and another app's address is not this one's", () => {
    expect(problemsOf({ NODE_ENV: "production", APP_ID: "x", ENV: "x", APP_KEYS: "x" })).toEqual([]);
    const ofAdmin = { ADMIN_APP_URL: "https://admin.example.test" };
    expect(problemsOf(ofAdmin)).toEqual([]);
    expect(problemsOf(ofAdmin, "admin")).toHaveLength(1);
    expect(problemsOf({ ...ofAdmin, ADMIN_APP_ENV: "local" }, "admin")).toEqual([]);
  });

  test("makes no secrets where it is refused, and does where .env declares it", async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-undeclared-"));
    const hinted = { INVOCATION_ID: "x" };
    for (const missing of ["keep", "make"] as const) {
      const { env, created } = resolveEnvironment(hinted, folder, { missing });
      expect({ env, created }).toEqual({ env: hinted, created: undefined });
    }
    expect(await readdir(folder)).toEqual([]);
    await Bun.write(join(folder, ".env"), "APP_ENV=local\n");
    expect(resolveEnvironment(hinted, folder).created).toBe(join(folder, ".env.local"));
  });
});

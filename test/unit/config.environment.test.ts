import { afterEach, expect, test } from "bun:test";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, resolveEnvironment } from "../../src/config/index.ts";
import { definitions } from "../support/definitions.ts";

function bootstrapOf(env: Record<string, string | undefined>) {
  const loaded = loadConfig({ app: definitions.app, env });
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return loaded.config.auth.bootstrap;
}

const folders: string[] = [];
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-config-"));
  folders.push(folder);
  return folder;
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

test("local needs nothing set: secrets are generated once, for their owner alone to read", async () => {
  const folder = await emptyFolder();
  const first = resolveEnvironment({}, folder);
  const second = resolveEnvironment({}, folder);
  expect(first.created).toBe(join(folder, ".env.local"));
  expect(second.created).toBeUndefined();
  expect(second.env).toEqual(first.env);
  expect((await stat(join(folder, ".env.local"))).mode & 0o777).toBe(0o600);
  expect(bootstrapOf(first.env)).toMatchObject({ username: "admin", email: "admin@example.test" });
});

test("the process environment wins over .env.local, and that over .env", async () => {
  const folder = await emptyFolder();
  await Bun.write(join(folder, ".env"), "APP_KEY=from-env-file\nAPP_DEBUG=2\nAPP_DIAG_TOKEN=from-env-file\n");
  await Bun.write(join(folder, ".env.local"), "APP_KEY=from-local-file\nAPP_DIAG_TOKEN=from-local-file\n");
  const { env } = resolveEnvironment({ APP_DIAG_TOKEN: "from-process" }, folder);
  expect(env).toMatchObject({ APP_DEBUG: "2", APP_KEY: "from-local-file", APP_DIAG_TOKEN: "from-process" });
});

test("outside local no file is read or written", async () => {
  const folder = await emptyFolder();
  await Bun.write(join(folder, ".env"), "APP_DEBUG=3\n");
  for (const mode of ["testing", "staging", "production"]) {
    const { env, created } = resolveEnvironment({ APP_ENV: mode }, folder);
    expect(env["APP_DEBUG"]).toBeUndefined();
    expect(created).toBeUndefined();
  }
  expect(await Bun.file(join(folder, ".env.local")).exists()).toBe(false);
});

test("what a file lacks is added to it, and nothing that is set elsewhere is made up", async () => {
  const folder = await emptyFolder();
  const file = join(folder, ".env.local");
  await Bun.write(join(folder, ".env"), "APP_KEY=from-env-file\n");
  await Bun.write(file, "API_HTTP_PORT=4000");
  await chmod(file, 0o644);
  const { env, created } = resolveEnvironment({ APP_DIAG_TOKEN: "from-process" }, folder);
  expect(created).toBe(file);
  expect(env).toMatchObject({ API_HTTP_PORT: "4000", APP_KEY: "from-env-file", APP_DIAG_TOKEN: "from-process" });
  expect(env["API_JWT_SECRET_KEY"]).toBeDefined();
  const text = await Bun.file(file).text();
  expect(text).toMatch(
    /^API_HTTP_PORT=4000\nAPI_JWT_SECRET_KEY=\S+\nLIGHTHOUSE_SECRET=\S+\nAUTH_BOOTSTRAP_PASSWORD=\S+\n$/,
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).toSorted()).toEqual([".env", ".env.local"]);
});

test("a .env can name another APP_ENV, and then gives nothing else", async () => {
  const folder = await emptyFolder();
  await Bun.write(join(folder, ".env"), "APP_ENV=production\nAPP_KEY=from-env-file\n");
  expect(resolveEnvironment({}, folder).env).toEqual({ APP_ENV: "production" });
  expect(await readdir(folder)).toEqual([".env"]);
});

test("an app's own APP_ENV decides for its binary", async () => {
  const folder = await emptyFolder();
  const env = { ADMIN_APP_ENV: "production" };
  expect(resolveEnvironment(env, folder, { app: "admin" }).env).toEqual(env);
  expect(await readdir(folder)).toEqual([]);
});

test("nothing is written where generating was not asked for", async () => {
  const folder = await emptyFolder();
  expect(resolveEnvironment({}, folder, { missing: "leave" })).toMatchObject({ env: {}, created: undefined });
  expect(await readdir(folder)).toEqual([]);
});

test("testing makes up what is missing anew for each process, and no bootstrap account", () => {
  const first = resolveEnvironment({ APP_ENV: "testing" }, "/nowhere").env;
  const second = resolveEnvironment({ APP_ENV: "testing" }, "/nowhere").env;
  expect(first["APP_KEY"]).not.toBe(second["APP_KEY"]);
  expect(bootstrapOf(first)).toBeUndefined();
  expect(resolveEnvironment({ APP_ENV: "testing", APP_KEY: "" }, "/nowhere").env["APP_KEY"]).toBeUndefined();
  expect(resolveEnvironment({ APP_ENV: "testing" }, "/nowhere", { missing: "leave" }).env).toEqual({
    APP_ENV: "testing",
  });
});

test("a folder that can't be written to stops the start, saying which and what to do", async () => {
  const folder = join(await emptyFolder(), "absent");
  expect(() => resolveEnvironment({}, folder)).toThrow(
    /absent\/\.env\.local can't be written \(ENOENT\).*API_JWT_SECRET_KEY/,
  );
});

test("processes that start first together agree on the secrets", async () => {
  const folder = await emptyFolder();
  const script = `import { resolveEnvironment } from ${JSON.stringify(join(import.meta.dir, "../../src/config/index.ts"))};
      console.log(resolveEnvironment({}, ${JSON.stringify(folder)}).env.APP_KEY);`;
  const starts = Array.from({ length: 4 }, () => Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" }));
  const keys = await Promise.all(starts.map((start) => new Response(start.stdout).text()));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^local-only-[\w-]{43}\n$/);
  expect(await readdir(folder)).toEqual([".env.local"]);
});
test("L-14 secrets that a local start generated are refused", async () => {
  const { env } = resolveEnvironment({}, await emptyFolder());
  const { API_JWT_SECRET_KEY, APP_KEY, APP_DIAG_TOKEN } = env;
  const loaded = loadConfig({
    app: definitions.app,
    env: { APP_ENV: "production", API_JWT_SECRET_KEY, APP_KEY, APP_DIAG_TOKEN },
  });
  const problems = loaded.ok ? [] : loaded.problems;
  expect(problems.filter((problem) => problem.includes("generated for local use"))).toHaveLength(3);
});

test("X-47 a local start makes a diagnostic token for each app, unless a person has set one for both", async () => {
  const folder = await emptyFolder();
  const { env } = resolveEnvironment({}, folder);
  expect(resolveEnvironment({}, folder, { app: "admin" })).toMatchObject({ env, created: undefined });
  const tokenOf = (app: "app" | "admin", values: Readonly<Record<string, string | undefined>>): string | undefined => {
    const loaded = loadConfig({ app: definitions[app], env: resolveEnvironment(values, folder, { app }).env });
    return loaded.ok ? loaded.config.app.diagToken : loaded.problems.join();
  };
  expect([tokenOf("app", {}), tokenOf("admin", {})]).toEqual([env["APP_DIAG_TOKEN"], env["ADMIN_APP_DIAG_TOKEN"]]);
  expect(env["ADMIN_APP_DIAG_TOKEN"]).toMatch(/^local-only-[\w-]{43}$/);
  expect(env["ADMIN_APP_DIAG_TOKEN"]).not.toBe(env["APP_DIAG_TOKEN"]);

  // A file of release 0.1.0 has one token, to which the other one is added.
  await Bun.write(join(folder, ".env.local"), "APP_DIAG_TOKEN=of-an-earlier-release\n");
  expect(tokenOf("app", {})).toBe("of-an-earlier-release");
  expect(tokenOf("admin", {})).toStartWith("local-only-");

  const another = await emptyFolder();
  const chosen = resolveEnvironment({ APP_DIAG_TOKEN: "chosen-by-a-person" }, another, { app: "admin" });
  expect(chosen.env["ADMIN_APP_DIAG_TOKEN"]).toBeUndefined();
});

import { createPrivateKey } from "node:crypto";
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commands } from "../../../src/cli/table.ts";
import { runGatehouse, testTarget, type CommandResult } from "../../support/process.ts";
import { testDatabase } from "../../support/engine.ts";
import { readEnvironmentFile } from "../../../src/core/text/environment.file.ts";
import { testEnvironment } from "../../support/environment.ts";
import { sharedFolder } from "../../support/folder.ts";

const cwd = sharedFolder();

const run = (args: readonly string[], env: Record<string, string> = {}, stdin = ""): Promise<CommandResult> =>
  runGatehouse(args, { cwd, stdin, env: { ...testEnvironment(cwd), ...env } });

describe("usage", () => {
  test("--help lists every command with one line", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    for (const [name, { summary }] of commands)
      expect(stdout).toMatch(new RegExp(`^  ${name} +${RegExp.escape(summary)}$`, "m"));
  });

  test("every command explains itself with --help", async () => {
    for (const [name, { summary }] of commands) {
      const { code, stdout, stderr } = await run([name, "--help"]);
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: "" });
      expect(stdout).toContain(`gatehouse ${name}`);
      expect(stdout).toContain(summary);
    }
  });

  test("--version, -v and version name version and revision", async () => {
    for (const asked of ["--version", "-v", "version"]) {
      const { code, stdout } = await run([asked]);
      expect({ asked, code }).toEqual({ asked, code: 0 });
      expect(stdout).toMatch(/^gatehouse \d+\.\d+\.\d+\S* \(\S+\)\n$/);
    }
    expect(JSON.parse((await run(["version", "--json"])).stdout)).toMatchObject({ program: "gatehouse" });
  });

  test("wrong usage exits with 2 and says in three lines what is wrong and where the help is, on standard error", async () => {
    const wrong: Record<string, readonly string[]> = {
      'unknown command "nothing:here"': ["nothing:here"],
      "unknown option --nope": ["migrate", "--nope"],
      "unknown option --port": ["--port", "3000"],
      "unknown option -x": ["-x"],
      "unknown option --json": ["--json", "about"],
      'unknown command ""': ["", "about"],
      "--step takes a value, and there is none": ["migrate", "--step"],
      "--limit takes a value, and there is none": ["user:list", "--limit", "--json"],
      "--json takes no value": ["migrate", "--json=yes"],
      "--json is given twice": ["version", "--json", "--json"],
      'unexpected argument "now"': ["migrate:status", "now"],
      "LOGIN is missing": ["auth:set-password"],
      "--email is missing": ["auth:create-user", "--username", "ada"],
      '--probe takes one of health, ready, not "metrics"': ["health", "--probe", "metrics"],
      "--timeout-ms takes whole milliseconds": ["health", "--timeout-ms", "soon"],
      "URL is an http or https address": ["health", "ftp://127.0.0.1"],
      "URL must not carry a user name": ["health", "http://ada:secret@127.0.0.1"],
    };
    for (const [complaint, args] of Object.entries(wrong)) {
      const { code, stdout, stderr } = await run(args);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: "" });
      expect(stderr).toContain(complaint);
      const lines = stderr.trimEnd().split("\n");
      expect(lines.length).toBeLessThanOrEqual(3);
      expect(lines.at(-1)).toMatch(/^see gatehouse( [a-z:-]+)? --help$/);
    }
  });

  test("what was probably meant is named: a command, a group, a flag, a value", async () => {
    const slips: Record<string, readonly string[]> = {
      "user:list": ["user:lsit"],
      "user:show": ["user", "show"],
      "user:send-reset": ["user:send"],
      "release:restart": ["restart"],
      "migrate:rollback or release:rollback": ["rollback"],
      user: ["usr"],
      "--step": ["migrate", "--stpe", "3"],
      "--json": ["about", "--jso"],
      ready: ["health", "--probe", "redy"],
      "auth.locked": ["audit:list", "--action", "auth.lockd"],
      keycloak: ["user:import", "-", "--from", "Keycloack"],
      "users:read": ["service:create", "crm", "--scope", "introspect,users:reed"],
    };
    for (const [meant, args] of Object.entries(slips)) {
      const { code, stderr } = await run(args);
      expect({ args, code, hint: stderr.split("\n")[1] }).toEqual({ args, code: 2, hint: `did you mean ${meant}?` });
    }
    expect((await run(["nothing:here"])).stderr).not.toContain("did you mean");
  });

  test("help explains itself, a group and a command, as --help does, and fits 80 columns", async () => {
    const overview = (await run(["--help"])).stdout;
    expect(await run(["help"])).toEqual({ code: 0, stdout: overview, stderr: "" });
    for (const name of ["user:list", "migrate"]) expect(await run(["help", name])).toEqual(await run([name, "--help"]));
    const group = await run(["user"]);
    expect(await run(["help", "user"])).toEqual(group);
    expect(await run(["user", "--help"])).toEqual(group);
    for (const name of commands.keys()) expect(group.stdout.includes(`  ${name} `)).toBe(name.startsWith("user:"));
    for (const line of `${overview}${group.stdout}`.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const rows = (await run(["help", "--json"])).stdout.trimEnd().split("\n");
    expect(rows.map((row): unknown => JSON.parse(row))).toEqual(
      Array.from(commands, ([command, { summary }]) => ({ command, summary })),
    );
    expect((await run(["help", "nothing"])).code).toBe(2);
  });

  test("C-65 a command whose output could not be written whole fails; a reader that has gone is no failure", async () => {
    const through = (pipe: string) => ["bash", "--norc", "--noprofile", "-o", "pipefail", "-c", `"$@" ${pipe}`, "bash"];
    const full = await runGatehouse(["route:list"], { cwd, env: testEnvironment(cwd), within: through("> /dev/full") });
    expect(full.code).toBe(1);
    expect(full.stderr).toBe("gatehouse route:list: standard output could not be written whole (ENOSPC)\n");
    const gone = await runGatehouse(["route:list"], { cwd, env: testEnvironment(cwd), within: through("| true") });
    expect(gone).toEqual({ code: 0, stdout: "", stderr: "" });
    const large = await runGatehouse(["route:list", "--json"], {
      cwd,
      env: testEnvironment(cwd),
      within: through("| (sleep 0.2; cat)"),
    });
    expect(large.stdout).toBe((await run(["route:list", "--json"])).stdout);
  });

  test("a name of the language's own is an unknown command, not a crash", async () => {
    for (const name of ["__proto__", "constructor", "toString"]) expect((await run([name])).code).toBe(2);
  });
});

describe("configuration", () => {
  test("bad configuration exits with 2 and names every bad variable at once, never a secret's value", async () => {
    const bad = {
      APP_ENV: "production",
      API_HTTP_PORT: "port",
      AUTH_ACCESS_TOKEN_TTL: "soon",
      API_JWT_SECRET_KEY: "hunter2hunter2",
    };
    for (const command of ["env:check", "migrate", "run", "about"]) {
      const { code, stdout, stderr } = await run([command], bad);
      expect({ command, code, stdout }).toEqual({ command, code: 2, stdout: "" });
      for (const name of ["API_HTTP_PORT", "AUTH_ACCESS_TOKEN_TTL", "API_JWT_SECRET_KEY"])
        expect(stderr).toContain(name);
      expect(stderr).not.toContain("hunter2");
    }
  });

  test("env:check accepts what a start would accept, and creates nothing", async () => {
    const { code, stdout } = await run(["env:check"]);
    expect(code).toBe(0);
    expect(stdout).toContain("valid");
    expect(await readdir(cwd)).toEqual([]);
  });

  test("a .env or bunfig.toml in the working directory does not change a process outside local", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-dotenv-"));
    await Bun.write(join(folder, ".env"), "API_HTTP_PORT=4123\n");
    // The bun command itself obeys the file when it runs the sources.
    if (testTarget === "binary") await Bun.write(join(folder, "bunfig.toml"), 'preload = ["./owned.ts"]\n');
    await Bun.write(join(folder, "owned.ts"), 'console.log("owned");\n');
    const { API_HTTP_PORT: _, ...env } = testEnvironment(folder);
    const { stdout } = await runGatehouse(["about", "--json"], { cwd: folder, env });
    await rm(folder, { recursive: true });
    expect(stdout).not.toContain("owned");
    expect(stdout).not.toContain("4123");
  });
});

describe("describing", () => {
  test("about shows version, environment, drivers and paths, and no secret", async () => {
    const env = testEnvironment(cwd);
    const named = { CACHE_PROFILES_DRIVER: "database", STORAGE_UPLOADS_DRIVER: "local" };
    const { code, stdout } = await run(["about", "--json"], named);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      app: "app",
      env: "testing",
      drivers: {
        database: testDatabase,
        cache: "memory",
        "cache.profiles": "database",
        queue: "database",
        events: "inproc",
        storage: "local",
        "storage.uploads": "local",
        mail: "log",
        maintenance: "memory",
      },
      paths: { storage: expect.stringContaining(cwd), "storage.uploads": join(cwd, "data", "uploads") },
    });
    for (const secret of ["API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN"])
      expect(stdout).not.toContain(env[secret] ?? "?");
    expect((await run(["about"])).stdout).toMatch(new RegExp(`^drivers\\.database +${testDatabase}$`, "m"));
  });

  test("route:list prints method and path of every route, and opens no database", async () => {
    const { code, stdout } = await run(["route:list"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^POST +\/api\/v1\/auth\/login$/m);
    expect(stdout).toMatch(/^GET +\/-\/health$/m);
    const lines = (await run(["route:list", "--json"])).stdout.trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual({ method: "GET", path: "/api/v1/hello" });
    expect(existsSync(join(cwd, "data"))).toBe(false);
  });

  test("the admin app has the same commands, its own port, and no JSON auth routes", async () => {
    const options = { app: "admin", cwd, env: { ...testEnvironment(cwd), ADMIN_API_HTTP_PORT: "3456" } } as const;
    const routes = await runGatehouse(["route:list"], options);
    expect(routes.stdout).toContain("/-/ready");
    expect(routes.stdout).not.toContain("/api/v1/auth");
    const about = await runGatehouse(["about", "--json"], options);
    expect(JSON.parse(about.stdout)).toMatchObject({ app: "admin", listen: "127.0.0.1:3456" });
    expect((await runGatehouse(["--help"], options)).stdout).toContain("gatehouse-admin [COMMAND]");
  });

  test("X-47 key:generate prints fresh secrets that a start accepts, and a diagnostic token for each app", async () => {
    const first = await run(["key:generate"]);
    const second = await run(["key:generate"]);
    expect(first.code).toBe(0);
    const secret = "[\\w-]{43}\n";
    const names = ["API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN", "ADMIN_APP_DIAG_TOKEN"];
    expect(first.stdout).toMatch(new RegExp(`^${names.map((name) => `${name}=${secret}`).join("")}$`));
    expect(new Set(first.stdout.match(/[\w-]{43}$/gm)).size).toBe(names.length);
    expect(first.stdout).not.toBe(second.stdout);
    const keys = Object.fromEntries(
      first.stdout
        .trim()
        .split("\n")
        .map((line) => line.split(/=(.*)/).slice(0, 2)),
    );
    expect(
      (await run(["env:check"], { ...keys, APP_ENV: "staging", APP_URL: "https://accounts.example.test" })).code,
    ).toBe(0);
  });

  test.each([
    ["EdDSA", []],
    ["EdDSA", ["--alg", "EdDSA"]],
    ["ES256", ["--alg", "ES256"]],
  ])(
    "key:generate --signing prints a key for %s, which a start accepts, and beside it how to set it",
    async (alg, more) => {
      const { code, stdout, stderr } = await run(["key:generate", "--signing", ...more]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^-----BEGIN PRIVATE KEY-----\n[^-]+-----END PRIVATE KEY-----\n$/);
      expect(createPrivateKey(stdout).asymmetricKeyType).toBe(alg === "EdDSA" ? "ed25519" : "ec");
      expect(stderr).toContain("API_JWT_PRIVATE_KEY");
      expect(stderr).not.toContain("BEGIN");
      expect((await run(["env:check"], { ...testEnvironment(cwd), API_JWT_PRIVATE_KEY: stdout })).code).toBe(0);
    },
  );

  test("O-32 key:generate --idp prints both keys of the provider as lines that a file of settings takes", async () => {
    const { code, stdout, stderr } = await run(["key:generate", "--idp"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^API_JWT_PRIVATE_KEY="[^"\n]+"\nIDP_RSA_PRIVATE_KEY="[^"\n]+"\n$/);
    expect(stderr).not.toContain("BEGIN");
    const { assignments, unread } = readEnvironmentFile(stdout);
    const keys = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
    const { asymmetricKeyDetails } = createPrivateKey((keys["API_JWT_PRIVATE_KEY"] ?? "").replaceAll("\\n", "\n"));
    expect(asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect([assignments.flatMap(({ flaws }) => [...flaws]), unread]).toEqual([[], []]);
    const deployed = { ...testEnvironment(cwd), APP_ENV: "staging", APP_URL: "https://accounts.example.test" };
    const check = (env: Readonly<Record<string, string>>) =>
      run(["env:check"], { ...deployed, IDP_ENABLED: "true", ...env });
    const refused = await check({});
    expect(refused.code).toBe(2);
    expect(refused.stdout + refused.stderr).toContain("key:generate --idp prints it and IDP_RSA_PRIVATE_KEY");
    expect(await check(keys)).toMatchObject({ code: 0 });
    // Readers that take quotes for a part of the value, such as those of containers, do no harm.
    const quoted = Object.fromEntries(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split(/=(.*)/).slice(0, 2)),
    );
    expect(await check(quoted)).toMatchObject({ code: 0 });
    const asJson: unknown = JSON.parse((await run(["key:generate", "--idp", "--json"])).stdout);
    expect(asJson).toEqual({ API_JWT_PRIVATE_KEY: expect.any(String), IDP_RSA_PRIVATE_KEY: expect.any(String) });
  });

  test("key:generate takes --alg with a key alone, no other algorithm, and one kind of keys at a time", async () => {
    expect((await run(["key:generate", "--alg", "ES256"])).code).toBe(2);
    expect((await run(["key:generate", "--signing", "--alg", "RS256"])).code).toBe(2);
    expect((await run(["key:generate", "--signing", "--idp"])).code).toBe(2);
  });
});

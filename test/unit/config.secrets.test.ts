import { describe, expect, test } from "bun:test";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig, resolveEnvironment, variables, type AppName } from "../../src/config/index.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { definitions } from "../support/definitions.ts";
import { folderOfEachTest } from "../support/folder.ts";

const folder = folderOfEachTest();

async function secretFile(name: string, content: string | Uint8Array, mode = 0o600): Promise<string> {
  const path = join(folder(), name);
  await mkdir(join(path, ".."), { recursive: true });
  await Bun.write(path, content);
  await chmod(path, mode);
  return path;
}

/** Settings of staging, where nothing is made up and every rule for secrets holds. */
const staging = () => ({
  APP_ENV: "staging",
  APP_URL: "https://auth.example.test",
  API_JWT_SECRET_KEY: randomToken(),
  APP_KEY: randomToken(),
  APP_DIAG_TOKEN: randomToken(),
});
type Env = Record<string, string>;
const without = (env: Env, ...names: string[]): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

function load(env: Env, app: AppName = "app") {
  const { env: values, files } = resolveEnvironment(env, folder(), { app });
  return loadConfig({ app: definitions[app], env: values, files });
}
function configOf(env: Env, app: AppName = "app") {
  const loaded = load(env, app);
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return loaded.config;
}
function problemsOf(env: Env): readonly string[] {
  const loaded = load(env);
  return loaded.ok ? [] : loaded.problems;
}

describe("<VAR>_FILE", () => {
  test("X-15 names a file whose content, less one line end, is the secret", async () => {
    const secret = randomToken();
    for (const end of ["", "\n", "\r\n"]) {
      const env = { ...without(staging(), "APP_KEY"), APP_KEY_FILE: await secretFile("key", `${secret}${end}`) };
      expect(configOf(env).app.key).toBe(secret);
    }
  });

  test("works for every secret there is, and for nothing else", async () => {
    const secrets = variables.filter((variable) => "secret" in variable).map(({ name }) => name);
    expect(secrets).toContain("MAIL_SMTP_PASSWORD");
    for (const name of secrets.filter((name) => !name.includes("<NAME>"))) {
      const path = await secretFile("secret", `${name} in a file`);
      expect(resolveEnvironment({ APP_ENV: "testing", [`${name}_FILE`]: path }, folder()).env[name]?.trim()).toBe(
        `${name} in a file`,
      );
    }
    const problems = problemsOf({ ...staging(), APP_URL_FILE: await secretFile("url", "https://other.example.test") });
    expect(problems).toEqual(["APP_URL_FILE: only secrets are read from files, and APP_URL is none"]);
  });

  test.each([
    ["that is absent", "can't be read (ENOENT)", async () => join(folder(), "absent")],
    ["that is a folder", "is a folder", async () => folder()],
    ["that is a device", "is not a regular file", async () => "/dev/null"],
    ["that is empty", "is empty", () => secretFile("empty", "\n")],
    ["that is too large", "is larger than 64 KiB", () => secretFile("large", "hunter2".repeat(10_000))],
    ["with a NUL", "holds a NUL character", () => secretFile("nul", "hunter2\0hunter2")],
    ["of two lines", "holds more than one line", () => secretFile("lines", "hunter2\nhunter2\n")],
    ["that is no text", "is not UTF-8 text", () => secretFile("bytes", new Uint8Array([0x68, 0xff, 0xfe]))],
    ["whose link leads nowhere", "can't be read (ENOENT)", () => danglingLink()],
  ])("a file %s stops the start, and nothing of it is shown", async (_, wrong, make) => {
    const path = await make();
    const problems = problemsOf({ ...without(staging(), "APP_KEY"), APP_KEY_FILE: path });
    expect(problems).toEqual([`the file of APP_KEY_FILE ${wrong}`]);
  });
  async function danglingLink(): Promise<string> {
    await symlink(join(folder(), "gone"), join(folder(), "link"));
    return join(folder(), "link");
  }

  test("a pipe that nobody writes to does not hold up the start", async () => {
    const pipe = join(folder(), "pipe");
    await Bun.spawn(["mkfifo", pipe]).exited;
    expect(problemsOf({ ...without(staging(), "APP_KEY"), APP_KEY_FILE: pipe })).toEqual([
      "the file of APP_KEY_FILE is not a regular file",
    ]);
  });

  test("a secret put in the place of a path is not repeated", () => {
    const secret = randomToken();
    const problems = problemsOf({ ...without(staging(), "APP_KEY"), APP_KEY_FILE: secret });
    expect(problems).toEqual(["the file of APP_KEY_FILE must be named by an absolute path"]);
    expect(problemsOf({ ...without(staging(), "APP_KEY"), APP_KEY_FILE: `/${secret}` }).join()).not.toContain(secret);
  });

  test("every bad file is named at once, with everything else that is wrong", async () => {
    const problems = problemsOf({
      APP_ENV: "production",
      APP_KEY_FILE: "/nowhere/at/all",
      APP_DIAG_TOKEN_FILE: await secretFile("empty", ""),
      MAIL_SMTP_USERNAME: "gatehouse",
      MAIL_SMTP_PASSWORD_FILE: folder(),
    });
    for (const part of ["APP_KEY_FILE", "APP_DIAG_TOKEN_FILE", "MAIL_SMTP_PASSWORD_FILE", "APP_URL is required"])
      expect(problems.filter((problem) => problem.includes(part))).toHaveLength(1);
    expect(problems.join("\n")).not.toMatch(/(?:APP_KEY|APP_DIAG_TOKEN) is required|together/);
  });

  test("a secret given in both ways is refused, in the same place alone", async () => {
    const key = await secretFile("key", randomToken());
    expect(problemsOf({ ...staging(), APP_KEY_FILE: key })).toEqual([
      "APP_KEY and APP_KEY_FILE are both given: keep one",
    ]);
    const local = await secretFile("local.key", randomToken());
    await secretFile(".env", `APP_KEY=${randomToken()}\nAPP_DIAG_TOKEN_FILE=${local}\n`);
    const { env, files } = resolveEnvironment({ APP_KEY_FILE: key, APP_DIAG_TOKEN: "from-process" }, folder());
    expect(files.problems).toEqual([]);
    expect(env).toMatchObject({ APP_KEY: await Bun.file(key).text(), APP_DIAG_TOKEN: "from-process" });
  });

  test("what is in a file is not generated locally", async () => {
    const key = await secretFile("key", "my own key");
    expect(configOf({ APP_KEY_FILE: "key" }).app.key).toBe("my own key");
    expect(await Bun.file(join(folder(), ".env.local")).text()).not.toContain("APP_KEY=");
    expect(problemsOf({ APP_KEY_FILE: `${key}.absent` })).toEqual(["the file of APP_KEY_FILE can't be read (ENOENT)"]);
    expect(await Bun.file(join(folder(), ".env.local")).text()).not.toContain("APP_KEY=");
  });

  test("the app's own variable wins, in whichever way it is given", async () => {
    const [own, plain] = [randomToken(), randomToken()];
    const files = { own: await secretFile("own", own), plain: await secretFile("plain", plain) };
    const rest = without(staging(), "API_JWT_SECRET_KEY");
    const ways: Env[] = [
      { ADMIN_API_JWT_SECRET_KEY_FILE: files.own, API_JWT_SECRET_KEY: plain },
      { ADMIN_API_JWT_SECRET_KEY_FILE: files.own, API_JWT_SECRET_KEY_FILE: files.plain },
      { ADMIN_API_JWT_SECRET_KEY: own, API_JWT_SECRET_KEY_FILE: files.plain },
    ];
    for (const way of ways) {
      expect(configOf({ ...rest, ...way }, "admin").auth.jwtSecret).toBe(own);
      expect(configOf({ ...rest, ...way }).auth.jwtSecret).toBe(plain);
    }
  });

  test("a file that others can read is warned of", async () => {
    const rest = without(staging(), "APP_KEY");
    for (const [mode, warned] of [
      [0o600, false],
      [0o400, false],
      [0o640, true],
      [0o604, true],
    ] as const) {
      const loaded = load({ ...rest, APP_KEY_FILE: await secretFile(`key-${mode}`, randomToken(), mode) });
      expect(loaded.ok && loaded.warnings.join().includes("APP_KEY_FILE can be read by others")).toBe(warned);
    }
  });

  test("T-09 a secret from a file is judged like any other", async () => {
    const env = {
      ...without(staging(), "API_JWT_SECRET_KEY"),
      API_JWT_SECRET_KEY_FILE: await secretFile("jwt", "changeme\n"),
    };
    expect(problemsOf(env).join()).toContain("API_JWT_SECRET_KEY is a placeholder");
  });
});

describe("earlier signing keys", () => {
  const keys = [`${randomToken()},${randomToken()}`, randomToken()];

  test("stand one a line in a file, commas and all", async () => {
    const path = await secretFile("keys", `${keys.join("\n")}\n`);
    const config = configOf({ ...staging(), API_JWT_PREVIOUS_SECRET_KEYS_FILE: path });
    expect(config.auth.jwtPreviousSecrets).toEqual(keys);
    const one = await secretFile("key", keys[0] ?? "");
    expect(configOf({ ...staging(), API_JWT_PREVIOUS_SECRET_KEYS_FILE: one }).auth.jwtPreviousSecrets).toEqual([
      keys[0] ?? "",
    ]);
  });

  test("are separated by commas in the environment", () => {
    const [first, second] = [randomToken(), randomToken()];
    const config = configOf({ ...staging(), API_JWT_PREVIOUS_SECRET_KEYS: `${first}, ${second}` });
    expect(config.auth.jwtPreviousSecrets).toEqual([first, second]);
  });
});

describe("systemd's credentials", () => {
  const credentials = () => join(folder(), "credentials");

  test("are read by the variable's name, in lower case too, when the environment has none", async () => {
    const [key, token] = [randomToken(), randomToken()];
    await secretFile("credentials/APP_KEY", `${key}\n`, 0o444);
    await secretFile("credentials/app_diag_token", token);
    const env = { ...without(staging(), "APP_KEY", "APP_DIAG_TOKEN"), CREDENTIALS_DIRECTORY: credentials() };
    expect(configOf(env).app).toMatchObject({ key, diagToken: token });
    const given = randomToken();
    expect(configOf({ ...env, APP_KEY: given }).app.key).toBe(given);
    expect(configOf({ ...env, APP_KEY_FILE: await secretFile("key", given) }).app.key).toBe(given);
    const loaded = load(env);
    expect(loaded.ok && loaded.warnings.join()).not.toContain("credential");
  });

  test("the app's own credential wins in its binary only", async () => {
    const [own, plain] = [randomToken(), randomToken()];
    await secretFile("credentials/ADMIN_APP_KEY", own);
    await secretFile("credentials/APP_KEY", plain);
    const env = { ...without(staging(), "APP_KEY"), CREDENTIALS_DIRECTORY: credentials() };
    expect(configOf(env, "admin").app.key).toBe(own);
    expect(configOf(env).app.key).toBe(plain);
  });

  test("one that can't be used stops the start, as does one under two names", async () => {
    await secretFile("credentials/APP_KEY", "");
    await secretFile("credentials/APP_DIAG_TOKEN", randomToken());
    await secretFile("credentials/app_diag_token", randomToken());
    const env = { ...without(staging(), "APP_KEY", "APP_DIAG_TOKEN"), CREDENTIALS_DIRECTORY: credentials() };
    expect(problemsOf(env)).toEqual([
      "the credential APP_KEY is empty",
      "the credential APP_DIAG_TOKEN and app_diag_token are both given: keep one",
    ]);
  });
});

import { describe, expect, test } from "bun:test";
import { createClient } from "../../support/client.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { stage } from "../../support/stage.ts";

const password = "a long walk by the sea";
const { target, rows } = await stage({ env: { AUTH_PASSWORD_RESET_RETURN_TOKEN: "true" } });

/** Runs a command on the running app's database, as an operator does on the same host. */
const run = (args: readonly string[], stdin = ""): Promise<CommandResult> =>
  runGatehouse(args, { cwd: target.folder, env: target.env, stdin });

const login = async (name: string, secret: string): Promise<number> =>
  (await createClient(target.url).post("/api/v1/auth/login", { login: name, password: secret })).status;

describe("auth:create-user", () => {
  test("makes an account that can log in, the password from standard input without its line end", async () => {
    const args = [
      "auth:create-user",
      "--email",
      "ada@example.test",
      "--username",
      "ada",
      "--display-name",
      "Ada",
      "--verified",
    ];
    const { code, stdout, stderr } = await run(args, `${password}\n`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^created [0-9a-f-]{36}\n$/);
    const client = createClient(target.url);
    const answer = await client.post("/api/v1/auth/login", { login: "ada", password });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ user: { username: "ada", email: "ada@example.test", display_name: "Ada" } });
    expect(answer.textAt("user.email_verified_at")).toMatch(/Z$/);
  });

  test("P-08 reads text as the API does: composed, and trimmed but for the password", async () => {
    const args = ["auth:create-user", "--email", " Ame\u0301lie@example.test ", "--display-name", " Ame\u0301lie "];
    expect((await run(args, ` cafe\u0301 by the sea `)).code).toBe(0);
    const answer = await createClient(target.url).post("/api/v1/auth/login", {
      login: "am\u00e9lie@example.test",
      password: " caf\u00e9 by the sea ",
    });
    expect(answer.json).toMatchObject({ user: { email: "Am\u00e9lie@example.test", display_name: "Am\u00e9lie" } });
    const forged = ["auth:create-user", "--email", "mallory@example.test", "--display-name", "a\r\nb"];
    expect((await run(forged, password)).code).toBe(1);
  });

  test("a refusal exits with 1 and says why, never the password", async () => {
    const taken = await run(["auth:create-user", "--email", "ADA@example.test", "--username", "other"], password);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain("email already in use");
    const weak = await run(["auth:create-user", "--email", "bob@example.test"], "password1");
    expect(weak.code).toBe(1);
    expect(weak.stderr).toContain("password is too weak");
    expect(weak.stderr).not.toContain("password1");
    expect((await run(["auth:create-user", "--email", "no address"], password)).code).toBe(1);
    const unsaid = await run(["auth:create-user", "--email", "bob@example.test"], "\n");
    expect(unsaid).toMatchObject({ code: 2, stderr: expect.stringContaining("no password came on standard input") });
  });

  test("P-07 a breached password is refused for a new account and for one that is there", async () => {
    const create = ["auth:create-user", "--email", "carol@example.test"];
    const refused = await run(create, "Monkey12345");
    expect((await run(create, password)).code).toBe(0);
    for (const { code, stderr } of [refused, await run(["auth:set-password", "carol@example.test"], "Monkey12345")]) {
      expect(code).toBe(1);
      expect(stderr).toContain("known from data breaches");
    }
  });

  test("standard input without end is not read without end", async () => {
    const { code, stderr } = await run(["auth:create-user", "--email", "eve@example.test"], "x".repeat(100_000));
    expect(code).toBe(2);
    expect(stderr).toContain("more than 1024 characters");
  });
});

describe("auth:set-password", () => {
  test("sets the password, ends every session", async () => {
    await run(["auth:create-user", "--email", "grace@example.test", "--username", "grace"], password);
    const client = createClient(target.url);
    expect((await client.post("/api/v1/auth/login", { login: "grace", password })).status).toBe(200);
    const { code } = await run(["auth:set-password", "grace@example.test"], "another walk by the sea\r\n");
    expect(code).toBe(0);
    expect((await client.get("/api/v1/auth/me")).status).toBe(401);
    expect(await login("grace", password)).toBe(401);
    expect(await login("grace", "another walk by the sea")).toBe(200);
  });

  test("P-08 composes the password, and voids a reset that was asked for before", async () => {
    await run(["auth:create-user", "--email", "mary@example.test", "--username", "mary"], password);
    const asked = await createClient(target.url).post("/api/v1/auth/password-reset/request", { login: "mary" });
    expect((await run(["auth:set-password", " mary "], "cafe\u0301 by the sea")).code).toBe(0);
    expect(await login("mary", "caf\u00e9 by the sea")).toBe(200);
    const fields = { token: asked.textAt("reset_token"), new_password: "a password of someone else" };
    expect((await createClient(target.url).post("/api/v1/auth/password-reset/confirm", fields)).status).toBe(401);
  });

  test("an unknown account exits with 1", async () => {
    const { code, stderr } = await run(["auth:set-password", "nobody"], password);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "no such account\n  user:list --search finds accounts by the beginning of a name or an address\n",
    });
  });
});

describe("auth:revoke-sessions", () => {
  test("ends every session of the account and counts them", async () => {
    await run(["auth:create-user", "--email", "joan@example.test", "--username", "joan"], password);
    const clients = [createClient(target.url), createClient(target.url)];
    for (const client of clients) await client.post("/api/v1/auth/login", { login: "joan", password });
    expect((await run(["auth:revoke-sessions", "joan"])).stdout).toBe("2 sessions ended\n");
    for (const client of clients) expect((await client.get("/api/v1/auth/me")).status).toBe(401);
    expect((await run(["auth:revoke-sessions", "joan"])).stdout).toBe("0 sessions ended\n");
  });
});

describe("auth:cleanup", () => {
  const due = "auth_attempts where attempt_key like 'due %'";

  test("deletes by hand what the schedule deletes, with --dry-run counts it, and the admin app leaves it alone", async () => {
    for (const key of ["due 1", "due 2"])
      rows.run(
        `insert into auth_attempts (attempt_key, attempts, window_started_at, expires_at) values (?, 1, 1, 2)`,
        key,
      );
    const trial = await run(["auth:cleanup", "--dry-run", "--json"]);
    expect(JSON.parse(trial.stdout)).toMatchObject({ dry_run: true, rows: { expired_attempts: 2, old_mails: 0 } });
    const admin = await runGatehouse(["auth:cleanup"], { app: "admin", cwd: target.folder, env: target.env });
    expect(admin.code).toBe(1);
    expect(admin.stderr).toContain("run gatehouse auth:cleanup");
    expect(rows.count(due)).toBe(2);
    const { code, stdout } = await run(["auth:cleanup"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 {2}expired attempts$/m);
    expect(stdout).toEndWith("\n2 rows deleted\n");
    expect(rows.count(due)).toBe(0);
    expect((await run(["auth:cleanup"])).stdout).toEndWith("\n0 rows deleted\n");
  });
});

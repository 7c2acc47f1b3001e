import { describe, expect, test } from "bun:test";
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { expectCounted } from "../../support/counted.ts";
import { commandLine, runGatehouse, spawnGatehouse } from "../../support/process.ts";
import { webhookSecret } from "../../support/receiver.ts";
import { openRows } from "../../support/rows.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { bcrypt, commandsOn, signsIn, storedIn } from "./transfer.fixture.ts";

const { target, rows, mailbox, people } = await stage();
const { run, importing } = commandsOn(target);
const stored = storedIn(rows);
const isThere = (email: string): boolean => rows.all("select 1 from users where email = ?", email).length === 1;

describe("user:import", () => {
  const whole = {
    id: "01a202ce-94d0-76d2-a110-eae56189fdc5",
    email: "Whole@Example.test",
    username: "whole",
    display_name: "Whole Person",
    avatar_url: "https://example.test/whole.png",
    email_verified: true,
    active: true,
    roles: ["editor", "admin"],
    created_at: "2020-01-31T12:00:00Z",
    locale: "en-gb",
    timezone: "Europe/Berlin",
    password_hash: bcrypt,
    external_id: "customer-1",
    app_metadata: { plan: "pro", ключ: ["é", null, { a: null }], limits: { seats: 5, ratio: 0.1 } },
    user_metadata: { theme: "dark" },
    private_metadata: { note: "x".repeat(8_192 - '{"note":""}'.length) },
    identities: [{ provider: "google", issuer: "https://accounts.google.com", subject: "whole" }],
  };

  test("P-24 makes what is new, leaves what is there, and so can be run again", async () => {
    const accounts = [whole, { email: "plain@example.test", username: "", display_name: null }];
    expect(await importing(accounts)).toEqual({
      code: 0,
      stdout: "2 accounts imported, 1 of them with the role admin\n",
      stderr: "",
    });
    expect(stored("Whole@Example.test")).toMatchObject({
      id: whole.id,
      username: "whole",
      display_name: "Whole Person",
      roles: "admin editor",
      created_at: Date.parse(whole.created_at),
      locale: "en-GB",
      timezone: "Europe/Berlin",
      active: 1,
    });
    expect(stored("plain@example.test")).toMatchObject({
      username: "plain@example.test",
      password_hash: null,
      roles: "",
    });
    const changed = [
      { ...whole, display_name: "Somebody Else", roles: [], password_hash: null },
      { email: "later@example.test" },
    ];
    expect(await importing(changed)).toEqual({
      code: 0,
      stdout: "1 account imported, 1 account left as they are: their addresses have one already\n",
      stderr: "",
    });
    expectCounted(rows);
    expect(stored("Whole@Example.test")).toMatchObject({
      display_name: "Whole Person",
      roles: "admin editor",
      password_hash: bcrypt,
    });
  });

  test("P-25 refuses what a registration refuses, and what belongs to others, by line and without what was sent", async () => {
    const ada = await people.register("ada");
    const lines = [
      "",
      "{",
      "[]",
      '"x"',
      JSON.stringify({ email: "no address" }),
      JSON.stringify({ email: "ａda@example.test" }),
      JSON.stringify({ email: "n1@example.test", username: "n+1" }),
      JSON.stringify({ email: "n2@example.test", username: ada.email }),
      JSON.stringify({ email: "n3@example.test", username: ada.username.toUpperCase() }),
      JSON.stringify({ email: "n4@example.test", id: ada.id }),
      JSON.stringify({ email: "n5@example.test", identities: whole.identities }),
      JSON.stringify({ email: "n6@example.test", emial: "n6@example.test" }),
      JSON.stringify({ email: "n7@example.test", password_hash: "hunter2" }),
      JSON.stringify({ email: "n8@example.test", password_hash: bcrypt.replace("$10$", "$31$") }),
      JSON.stringify({ email: "n9@example.test", roles: ["Not A Role"], created_at: "yesterday", active: 1 }),
      JSON.stringify({ email: "n10@example.test", display_name: "x".repeat(2_000_000) }),
      JSON.stringify({ email: ada.email.toUpperCase() }),
      JSON.stringify({ email: "n11@example.test", username: "same" }),
      JSON.stringify({ email: "n12@example.test", username: "SAME" }),
      JSON.stringify({ email: "n13@example.test", external_id: whole.external_id }),
    ];
    const { code, stdout } = await run(["user:import", "-"], lines.join("\n"));
    expect(code).toBe(1);
    expect(stdout.trimEnd().split("\n")).toEqual([
      "line 2: is no JSON",
      "line 3: account: must be an object of JSON",
      "line 4: account: must be an object of JSON",
      "line 5: email: must be an email address",
      "line 6: email: must not have look-alike characters before the @",
      "line 7: username: must be 1 to 64 letters, digits, spaces or . _ -, and begin with a letter or digit",
      "line 8: username: must not be an address other than your own",
      "line 9: username: username already in use",
      "line 10: id: belongs to another account",
      "line 11: identities: identity already linked to another account",
      "line 12: emial: is no field of an account",
      "line 13: password_hash: must be a password hash of a kind that is known",
      "line 14: password_hash: has a bcrypt cost of 31, and at most 14 is taken",
      "line 15: active: must be true or false; created_at: must be a time of the past, for example 2026-01-31T12:00:00Z",
      "line 16: is longer than an account can be",
      "line 19: username: username already in use",
      "line 20: external_id: external id already in use",
      "1 account imported, 1 account left as they are: their addresses have one already, 17 refused",
    ]);
    expect(rows.all("select 1 from users where email like 'n%@example.test'")).toHaveLength(1);
  });

  test("P-24 makes each account once where two imports run at once, or one was killed in the middle", async () => {
    const accounts = Array.from({ length: 1_500 }, (_, at) => ({ email: `twice${at}@example.test` }));
    const lines = accounts.map((account) => JSON.stringify(account)).join("\n");
    const killed = spawnGatehouse(["user:import", "-", "--json"], { cwd: target.folder, env: target.env });
    await killed.stdin.write(lines);
    await killed.stdout.getReader().read();
    killed.kill("SIGKILL");
    await killed.exited;
    const results = await Promise.all([importing(accounts), importing(accounts)]);
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: "" },
      { code: 0, stderr: "" },
    ]);
    const made = "select id from users where email like 'twice%'";
    expect(rows.all(made)).toHaveLength(accounts.length);
    const imported = `select 1 from audit_events where action = 'auth.user-imported' and subject_user_id in (${made})`;
    expect(rows.all(imported)).toHaveLength(accounts.length);
  });

  test("with --dry-run says the same and changes nothing; with --json tells of every line", async () => {
    const accounts = [{ email: "trial@example.test" }, { email: "plain@example.test" }, { email: "trial" }];
    expect((await importing(accounts, "--dry-run")).stdout).toBe(
      "line 3: email: must be an email address\n1 account would be imported, 1 account left as they are: their addresses have one already, 1 refused\n",
    );
    expect(isThere("trial@example.test")).toBe(false);
    const { stdout } = await importing([...accounts, { email: "json@example.test" }], "--json");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ).toEqual([
      { line: 1, outcome: "imported", id: stored("trial@example.test")["id"] },
      { line: 2, outcome: "present", id: stored("plain@example.test")["id"] },
      { line: 3, outcome: "refused", reason: "email: must be an email address" },
      { line: 4, outcome: "imported", id: stored("json@example.test")["id"] },
      { imported: 2, present: 1, refused: 1 },
    ]);
  });

  test("P-26 leaves a row for each account and role in the audit log, and tells nobody: no event, no message, no mail", async () => {
    const webhook = {
      WEBHOOK_LEDGER_URL: "http://127.0.0.1:9",
      WEBHOOK_LEDGER_SECRET: webhookSecret(),
      WEBHOOK_LEDGER_ALLOW_PRIVATE: "true",
    };
    const line = JSON.stringify({ email: "audited@example.test", roles: ["editor"] });
    const { folder, env } = target;
    const { stdout } = await runGatehouse(["user:import", "-"], {
      cwd: folder,
      env: { ...env, ...webhook },
      stdin: line,
    });
    expect(stdout).toBe("1 account imported\n");
    const id = String(stored("audited@example.test")["id"]);
    const by = { actor: "operator", actor_user_id: null, outcome: "success", subject_user_id: id };
    expect(rows.all("select * from audit_events where subject_user_id = ? order by id", id)).toMatchObject([
      { ...by, action: "auth.user-imported", reason: null },
      { ...by, action: "auth.role-added", reason: "editor" },
    ]);
    expect(rows.all("select * from jobs where payload like ?", `%${id}%`)).toEqual([]);
    expect(mailbox.all().filter(({ recipients }) => recipients.includes("audited@example.test"))).toEqual([]);
  });
});

describe("user:export", () => {
  test("P-28 writes hashes only where they are asked for, to a file for its owner alone, and leaves a row in the audit log", async () => {
    const path = join(target.folder, "accounts.ndjson");
    const plain = await run(["user:export"]);
    expect(plain).toMatchObject({ code: 0, stderr: "" });
    expect(plain.stdout).not.toContain("$argon2id$");
    expect(await run(["user:export", "--with-hashes", "--output", path])).toMatchObject({ code: 0, stderr: "" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const exported = await Bun.file(path).text();
    expect(exported).toContain('"password_hash":"$argon2id$');
    expect(exported.trimEnd().split("\n")).toHaveLength(rows.all("select id from users").length);
    expect((await run(["user:export", "--output", path])).code).toBe(2);
    expect(await Bun.file(path).text()).toBe(exported);
    const audited = rows.all("select actor, reason from audit_events where action = 'auth.users-exported' order by id");
    expect(audited).toEqual([
      { actor: "operator", reason: "without_hashes" },
      { actor: "operator", reason: "with_hashes" },
    ]);
  });

  test.each([
    { readers: "others may read", mode: 0o644, code: 1 },
    { readers: "its owner alone may read", mode: 0o600, code: 0 },
  ])("P-28 with hashes to standard output, a file that $readers, ends with $code", async ({ mode, code }) => {
    const path = join(target.folder, `stdout.${mode}`);
    const file = openSync(path, "w", mode);
    chmodSync(path, mode);
    const child = Bun.spawn([...commandLine("app"), "user:export", "--with-hashes"], {
      cwd: target.folder,
      env: { PATH: process.env["PATH"] ?? "", ...target.env },
      stdout: file,
      stderr: "ignore",
    });
    expect(await child.exited).toBe(code);
    closeSync(file);
    expect((await Bun.file(path).text()).includes("$argon2id$")).toBe(code === 0);
  });

  test("P-29, H-83 into an empty installation: everybody signs in as before, and nothing of an account is lost", async () => {
    const grace = await people.register("grace", { locale: "de-AT", timezone: "Europe/Vienna" });
    const path = join(target.folder, "moving.ndjson");
    await run(["user:export", "--with-hashes", "--output", path]);
    const other = await startTarget();
    const otherRows = openRows(other.databasePath);
    try {
      const { code, stdout } = await commandsOn(other).run(["user:import", path]);
      const columns =
        "id, username, email, display_name, avatar_url, password_hash, active, timezone, locale, roles, created_at, external_id";
      const accounts = `select ${columns}, email_verified_at is not null as verified from users order by id`;
      const metadata = "select * from account_metadata order by user_id";
      const identities = "select user_id, provider, issuer, subject from auth_identities order by subject";
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `${rows.all(accounts).length.toLocaleString("en")} accounts imported, 1 of them with the role admin\n`,
      });
      expect(otherRows.all(accounts)).toEqual(rows.all(accounts));
      expect(otherRows.all(identities)).toEqual(rows.all(identities));
      expect(otherRows.all(metadata)).toEqual(rows.all(metadata));
      expect(rows.all(metadata).length).toBeGreaterThan(0);
      expect(await commandsOn(other).run(["user:export"])).toEqual(await run(["user:export"]));
      expect(await signsIn(other.url, grace.email, grace.password)).toBe(200);
      expect(await signsIn(other.url, "Whole@Example.test")).toBe(200);
    } finally {
      otherRows.close();
      await other.stop();
    }
  });
});

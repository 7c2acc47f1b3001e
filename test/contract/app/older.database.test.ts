import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth, calm, mailedToken, mailTo, nextMail } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { eventually } from "../../support/log.ts";
import { runGatehouse } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";
import { startMailbox } from "../../support/smtp.ts";
import { startTarget } from "../../support/target.ts";

const password = "a long walk by the sea";
const token = "t".repeat(43);
const lastOf010 = 7;

test("a database of 0.1.0 with open grants and waiting jobs migrates and serves: its links work, its mails are sent", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-older-"));
  const run = (...args: string[]) => runGatehouse(args, { cwd: folder, env: { ...testEnvironment(folder), ...calm } });
  expect((await run("migrate", "--step", String(lastOf010))).code).toBe(0);
  const path = join(folder, "data", "app.db");
  const rows = openRows(path);
  const now = Date.now();
  const hash = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 });
  for (const [name, provenAt] of [
    ["ada", now],
    ["grace", null],
  ] as const)
    rows.run(
      `insert into users (id, username, username_key, email, email_key, display_name, password_hash, active, email_verified_at, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)`,
      name,
      name,
      name,
      `${name}@example.test`,
      `${name}@example.test`,
      name,
      hash,
      provenAt,
      now,
      now,
    );
  rows.run(
    `insert into auth_grants (id, purpose, user_id, email_key, token_hash, created_at, expires_at)
     values ('g1', 'password_reset', 'ada', 'ada@example.test', ?, ?, ?)`,
    createHash("sha256").update(token).digest("hex"),
    now,
    now + 3_600_000,
  );
  const jobs = [
    ["auth:send-email-verification", { user_id: "grace" }],
    ["auth:send-notice", { notice: "email_changed", to: "old@example.test" }],
    ["auth:send-notice", { notice: "password_changed", user_id: "ada" }],
  ] as const;
  for (const [index, [name, payload]] of jobs.entries())
    rows.run(
      `insert into jobs (id, queue, name, payload, state, attempts, max_attempts, available_at, created_at)
       values (?, 'default', ?, ?, 'pending', 0, 8, ?, ?)`,
      `j${index}`,
      name,
      JSON.stringify(payload),
      now,
      now,
    );
  expect((await run("migrate")).code).toBe(0);

  const mailbox = await startMailbox();
  const target = await startTarget({ env: { ...calm, ...mailTo(mailbox), DB_DATABASE: path }, migrate: false });
  const verification = await mailedToken(mailbox, "grace@example.test", "Verify your email");
  await nextMail(mailbox, "ada@example.test", "Your password was changed");
  await nextMail(mailbox, "old@example.test", "Your email address was changed");
  await eventually("no job is left", async () => rows.count("jobs") === 0);
  const client = createClient(target.url);
  expect((await client.post(auth("email-verification/confirm"), { token: verification })).status).toBe(200);
  const signedIn = await client.post(auth("login"), { login: "ada", password });
  expect(signedIn.at("user")).toMatchObject({ email: "ada@example.test", pending_email: null });
  const reset = { token, new_password: "another walk by the sea" };
  expect((await client.post(auth("password-reset/confirm"), reset)).status).toBe(200);
  await target.stop();
  await mailbox.stop();
  rows.close();
  await rm(folder, { recursive: true });
});

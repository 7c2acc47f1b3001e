import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRefreshTokens } from "../../../src/auth/session/refresh.token.ts";
import {
  auth,
  browserWith,
  calm,
  isServed,
  jwtSecret,
  listed,
  mailedToken,
  mailTo,
  minute,
} from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";
import { startMailbox } from "../../support/smtp.ts";
import { startTarget } from "../../support/target.ts";

const password = "a long walk by the sea";
const lastOf010 = 7;
const sessionId = "01900000-0000-7000-8000-000000000001";
// Full-width letters, which no new account can have.
const email = "\uff41da@example.test";

test("sessions, links and addresses of 0.1.0 go on: nobody is signed out, and what is promised now holds for them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-older-"));
  const run = (...args: string[]) => runGatehouse(args, { cwd: folder, env: { ...testEnvironment(folder), ...calm } });
  expect((await run("migrate", "--step", String(lastOf010))).code).toBe(0);
  const path = join(folder, "data", "app.db");
  const rows = openRows(path);
  const now = Date.now();
  const provenAt = now - 30 * minute;
  rows.run(
    `insert into users (id, username, username_key, email, email_key, display_name, password_hash, active, email_verified_at,
       created_at, updated_at)
     values ('ada', 'ada', 'ada', ?, 'ada@example.test', 'Ada', ?, 1, ?, 1, 1)`,
    email,
    await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 }),
    provenAt,
  );
  const tokens = createRefreshTokens(jwtSecret, []);
  const secret = tokens.newSecret();
  rows.run(
    `insert into auth_sessions (id, user_id, secret_hash, generation, remembered, user_agent, ip_address, created_at,
       last_seen_at, expires_at)
     values (?, 'ada', ?, 1, 1, 'curl/8', '127.0.0.1', ?, ?, ?)`,
    sessionId,
    createHash("sha256").update(secret).digest("hex"),
    now - 20 * minute,
    now,
    now + 60 * minute,
  );
  for (const [provider, linkedAt] of [
    ["github", provenAt - minute],
    ["google", provenAt + minute],
  ] as const)
    rows.run(
      `insert into auth_identities (id, user_id, provider, issuer, subject, linked_at)
       values (?, 'ada', ?, 'https://issuer.test', '1', ?)`,
      provider,
      provider,
      linkedAt,
    );
  expect((await run("migrate")).code).toBe(0);

  const mailbox = await startMailbox();
  const target = await startTarget({ env: { ...calm, ...mailTo(mailbox), DB_DATABASE: path }, migrate: false });
  const browser = browserWith(target.url, { refresh: tokens.format(sessionId, 1, secret) });
  expect(await isServed(browser)).toBe(true);
  expect((await listed(browser)).map((session) => session.get("id"))).toEqual([sessionId]);
  expect((await browser.post(auth("reauthenticate"), { current_password: password })).status).toBe(200);
  expect((await browser.post(auth("refresh"))).at("user.email")).toBe(email);
  for (const login of ["ada", email, "ada@example.test"])
    expect((await createClient(target.url).post(auth("login"), { login, password })).status).toBe(200);

  // A reset removes everything that was added in the last week.
  rows.run("update auth_identities set linked_at = linked_at - 8 * 86400000");
  rows.run("update users set email_verified_at = email_verified_at - 8 * 86400000");
  await createClient(target.url).post(auth("password-reset/request"), { login: "ada" });
  const token = await mailedToken(mailbox, email, "Reset your password");
  const reset = { token, new_password: "another walk by the sea" };
  expect((await createClient(target.url).post(auth("password-reset/confirm"), reset)).status).toBe(200);
  expect(await isServed(browser)).toBe(false);
  expect(rows.get("select group_concat(provider) as left from auth_identities")).toEqual({ left: "google" });
  await target.stop();
  await mailbox.stop();
  rows.close();
  await rm(folder, { recursive: true });
});

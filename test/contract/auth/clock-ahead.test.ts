import { expect, test } from "bun:test";
import { auth, expectRefusal, hour, mailedToken } from "../../support/auth.ts";
import { challenged, setUpTotp } from "../../support/factors.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { hotp } from "../../support/totp.ts";

// The rows look as if written while the clock was 400 days ahead. Now the clock is right again.
const { target, rows, mailbox, people } = await stage();
const aheadMs = 400 * 24 * hour;
const steps = aheadMs / 30_000;
const subject = "Reset your password";

const request = (login: string) => createClient(target.url).post(auth("password-reset/request"), { login });

test("K-05 a code of the authenticator app is right though one was used while the clock was ahead", async () => {
  const ada = await people.register("ada");
  const { secret, step } = await setUpTotp(ada);
  rows.run("update auth_totp set last_step = last_step + ? where user_id = ?", steps, ada.id);
  const first = await challenged(target.url, ada);
  const code = hotp(secret, step + 1);
  expect((await first.verify("totp", code)).status).toBe(200);
  // From then on each code is right once, as usual.
  const second = await challenged(target.url, ada);
  expectRefusal(await second.verify("totp", code), 401, "invalid code", "invalid_code");
});

test("K-05 a reset can be asked for though some were while the clock was ahead, and a link from then is none", async () => {
  const ada = await people.register("ada");
  for (let asked = 0; asked < 5; asked += 1) {
    await request(ada.email);
    await mailedToken(mailbox, ada.email, subject);
    rows.letPass(10 * 60_000);
  }
  await request(ada.email);
  // Its mail is awaited: a grant that is made only after the next statement would be one of the right time.
  const early = await mailedToken(mailbox, ada.email, subject);
  rows.run(
    "update auth_grants set created_at = created_at + ?, requested_at = requested_at + ?, expires_at = expires_at + ?",
    aheadMs,
    aheadMs,
    aheadMs,
  );
  await request(ada.email);
  const token = await mailedToken(mailbox, ada.email, subject);
  const confirm = (token: string) =>
    createClient(target.url).post(auth("password-reset/confirm"), { token, new_password: "a walk along the river" });
  expect((await confirm(early)).status).toBe(401);
  expect((await confirm(token)).status).toBe(200);
});

test("K-05 a session that was used while the clock was ahead or behind goes on", async () => {
  for (const by of [aheadMs, -aheadMs]) {
    const ada = await people.register("ada");
    // A refresh under such a clock writes this time.
    const before = Number(rows.get("select last_seen_at as at from auth_sessions where user_id = ?", ada.id)["at"]);
    rows.run("update auth_sessions set rotated_at = ? where user_id = ?", before + by, ada.id);
    expect((await ada.client.post(auth("refresh"))).status).toBe(200);
    rows.run("update auth_sessions set last_seen_at = ? where user_id = ?", before + aheadMs, ada.id);
    expect((await ada.client.post(auth("refresh"))).status).toBe(200);
    // The later of the two stays: a clock that was behind for a moment must not make a session look unused.
    expect(Number(rows.get("select last_seen_at as at from auth_sessions where user_id = ?", ada.id)["at"])).toBe(
      before + aheadMs,
    );
    expect((await ada.client.get(auth("me"))).status).toBe(200);
  }
});

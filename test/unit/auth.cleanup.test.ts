import { describe, expect, test } from "bun:test";
import { createCleanupRepository } from "../../src/auth/cleanup.repository.ts";
import { createCleanup } from "../../src/app/roles/cleanup.ts";
import { staleAuthRows } from "../../src/auth/cleanup.ts";
import { systemClock } from "../../src/core/clock.ts";
import { agesOf } from "../support/ages.ts";
import { openDatabaseAt } from "../support/database.ts";
import { createLog } from "../../src/observe/log.ts";
import {
  auth,
  browserWith,
  hour,
  isServed,
  mailedToken,
  minute,
  refreshes,
  second,
  secretsOf,
  type Person,
} from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { challengedAt, giveAuthenticator } from "../support/factor.ts";
import { eventually } from "../support/log.ts";
import { stage } from "../support/stage.ts";

const { target, rows, mailbox, people } = await stage();

describe("C-21 auth:cleanup", () => {
  const { signal } = new AbortController();
  const log = createLog({ format: "json", level: "info", clock: systemClock, secrets: [], write: () => {} });
  async function clean(): Promise<void> {
    const database = openDatabaseAt(target.databasePath);
    const stale = staleAuthRows({ rows: createCleanupRepository(database, "app"), sessionIdleTtlMs: 2 * hour });
    await createCleanup({ stale, clock: systemClock, ages: agesOf(systemClock), log }).schedule.run(signal);
    await database.close();
  }
  const left = ({ id }: Person) => rows.count("auth_sessions where user_id = ?", id);

  test("removes what has expired and keeps what still serves, theft detection included; again, it changes nothing", async () => {
    const [expired, idle, revoked, justRevoked, live] = [
      await people.register("expired"),
      await people.register("idle"),
      await people.register("revoked"),
      await people.register("justrevoked"),
      await people.register("live"),
    ];
    await revoked.client.post(auth("logout"));
    await justRevoked.client.post(auth("logout"));
    const { refresh: stolen } = secretsOf(live.client);
    await live.client.post(auth("refresh"));
    const now = Date.now();
    rows.run("update auth_sessions set expires_at = ? where user_id = ?", now - second, expired.id);
    const rested = "update auth_sessions set created_at = ?1, last_seen_at = ?1 where user_id = ?2";
    rows.run(rested, now - 27 * hour, idle.id);
    rows.run("update auth_sessions set revoked_at = ? where user_id = ?", now - 25 * hour, revoked.id);
    rows.run("update auth_sessions set rotated_at = ? where user_id = ?", now - minute, live.id);
    rows.run(
      "insert into auth_attempts (attempt_key, attempts, window_started_at, expires_at) values ('stale', 3, ?, ?), ('fresh', 3, ?, ?)",
      now - hour,
      now - second,
      now,
      now + hour,
    );
    // The worker makes the links of the registrations when it mails them, which would be a change of its own.
    await eventually("all mails to be sent", () => rows.count("jobs") === 0);
    await clean();
    expect([expired, idle, revoked, justRevoked, live].map(left)).toEqual([0, 0, 0, 1, 1]);
    expect(rows.count("auth_attempts where attempt_key in ('stale', 'fresh')")).toBe(1);
    const contents = () =>
      rows.get(
        "select (select group_concat(id) from auth_sessions) as s, (select group_concat(id) from auth_grants) as g, (select group_concat(attempt_key) from auth_attempts) as a",
      );
    const before = contents();
    await clean();
    expect(contents()).toEqual(before);
    expect(await isServed(live.client)).toBe(true);
    expect(await refreshes(browserWith(target.url, { refresh: stolen }))).toBe(false);
    expect(await isServed(live.client)).toBe(false);
  });

  test("removes challenges that nobody has answered, once staff may have been asked about them for a week", async () => {
    const ada = await people.register("ada");
    giveAuthenticator(rows, ada);
    await challengedAt(target.url, ada);
    await clean();
    expect(rows.count("auth_challenges where user_id = ?", ada.id)).toBe(1);
    rows.letPass(7 * 24 * hour);
    await clean();
    expect(rows.count("auth_challenges where user_id = ?", ada.id)).toBe(1);
    rows.letPass(5 * minute);
    await clean();
    expect(rows.count("auth_challenges where user_id = ?", ada.id)).toBe(0);
  });

  test("removes grants long expired, not those that can still be redeemed", async () => {
    const ada = await people.register("ada");
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    await clean();
    expect(rows.count("auth_grants where user_id = ? and purpose = 'password_reset'", ada.id)).toBe(1);
    rows.run("update auth_grants set expires_at = ? where user_id = ?", Date.now() - 25 * hour, ada.id);
    await clean();
    expect(rows.count("auth_grants where user_id = ?", ada.id)).toBe(0);
    const answer = await createClient(target.url).post(auth("password-reset/confirm"), {
      token,
      new_password: "another walk by the sea",
    });
    expect(answer.status).toBe(401);
  });
});

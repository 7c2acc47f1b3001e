import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { auth, calm, createPeople, type Person } from "../../support/auth.ts";
import { challenged, setUpTotp } from "../../support/factors.ts";
import { sharedFolder } from "../../support/folder.ts";
import { openRows } from "../../support/rows.ts";
import { startTarget, type Target } from "../../support/target.ts";
import { codeOf } from "../../support/totp.ts";

const folder = sharedFolder();

describe("two processes on one database", () => {
  let first: Target;
  let second: Target;
  beforeAll(async () => {
    const env = { ...calm, APP_URL: "http://127.0.0.1:3000", DB_DATABASE: join(folder, "factors.db") };
    first = await startTarget({ env, roles: ["http"], ownProcess: true });
    second = await startTarget({ env, roles: ["http"], migrate: false, ownProcess: true });
  });
  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()]);
  });

  /** Resolves to sign-ins that wait for a second factor, half of them at each process. */
  const waiting = (person: Person, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => challenged(index % 2 === 0 ? first.url : second.url, person)),
    );

  test("M-27 take a code of the authenticator app once, M-28 and a recovery code, however many sign-ins bring it", async () => {
    const ada = await createPeople(first.url).register("ada");
    const { secret, recoveryCodes } = await setUpTotp(ada);
    const rows = openRows(first.databasePath);
    for (const recoveryCode of recoveryCodes.slice(0, 3)) {
      rows.run("update auth_totp set last_step = 0 where user_id = ?", ada.id);
      for (const [method, code] of [
        ["totp", codeOf(secret)],
        ["recovery_code", recoveryCode],
      ] as const) {
        const logins = await waiting(ada, 4);
        const statuses = await Promise.all(logins.map(async ({ verify }) => (await verify(method, code)).status));
        expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
      }
    }
    expect(rows.count("auth_recovery_codes where user_id = ? and used_at is not null", ada.id)).toBe(3);
    rows.close();
  });

  test("M-22 of a removal at one and a sign-in at the other, neither leaves a factor that is half there", async () => {
    const grace = await createPeople(first.url).register("grace");
    const { recoveryCodes } = await setUpTotp(grace);
    const [, login] = await waiting(grace, 2);
    const [removed, verified] = await Promise.all([
      grace.client.post(auth("mfa/totp/remove")),
      login?.verify("recovery_code", recoveryCodes[0] ?? ""),
    ]);
    expect(removed.status).toBe(200);
    expect([200, 401]).toContain(verified?.status ?? 0);
    const rows = openRows(first.databasePath);
    expect(rows.get("select factors from users where id = ?", grace.id)).toEqual({ factors: 0 });
    for (const table of ["auth_totp", "auth_recovery_codes"])
      expect(rows.count(`${table} where user_id = ?`, grace.id)).toBe(0);
    rows.close();
  });
});

import { describe, expect, test } from "bun:test";
import type { By } from "../../../src/core/audit.ts";
import { auth, hour, isServed, nextMail, type Person } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { challengedAt, giveAuthenticator, verify } from "../../support/factor.ts";
import { challenged, setUpTotp } from "../../support/factors.ts";
import { office } from "../../support/office.ts";
import { refusalOf } from "../../support/refusal.ts";
import { stage } from "../../support/stage.ts";
import { wrongCodeOf } from "../../support/totp.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { serviceKit } from "../backend/service.fixture.ts";

const {
  target,
  rows,
  mailbox,
  people: persons,
  browser,
} = await stage({ env: { ADMIN_APP_URL: "http://staff.example.test" } });
const { accounts, people } = await office(target);
const audit = readAudit(rows);
const secret = await serviceKit(target).create("keeper", "users:read,users:write");

const origin = { address: "198.51.100.7", userAgent: "Firefox", requestId: "a-request" };
const byService: By = { actor: "service", service: "crm", origin };
const byStaff = (userId: string): By => ({ actor: "staff", userId, role: "admin", origin });
const signIn = ({ username, password }: Person): Promise<Answer> =>
  browser().post(auth("login"), { login: username, password });

/** Resolves to an answer of the API for backends. */
function asked(method: "get" | "post", rest: string): Promise<Answer> {
  const [client, path, headers] = [
    createClient(target.url),
    `/api/v1/users${rest}`,
    { authorization: `Bearer ${secret}` },
  ];
  return method === "get" ? client.get(path, { headers }) : client.post(path, {}, { headers });
}

async function admin(): Promise<Person> {
  const person = await persons.register("staff");
  await accounts.changeRoles(person.id, { add: ["admin"], remove: [] });
  return person;
}

describe("resetting second factors", () => {
  test("M-25 removes them with the recovery codes, ends every session, and tells the owner by mail", async () => {
    const ada = await persons.register("ada");
    rows.run("update users set email_verified_at = 1 where id = ?", ada.id);
    expect(await accounts.resetFactors(ada.id, byService)).toBe(false);
    const totp = await setUpTotp(ada);
    await (await challenged(target.url, ada)).verify("totp", wrongCodeOf(totp.secret));
    const dayCounters = (): number =>
      rows.count("auth_attempts where expires_at between ? and ?", Date.now() + 20 * hour, Date.now() + 25 * hour);
    expect(dayCounters()).toBe(1);
    expect(await accounts.resetFactors(ada.email, byService)).toBe(true);
    // The next app has other codes, so guesses at this app's codes must not use up its tries.
    expect(dayCounters()).toBe(0);
    expect((await ada.client.get(auth("me"))).status).toBe(401);
    expect((await ada.client.post(auth("refresh"))).status).toBe(401);
    expect(rows.get("select factors from users where id = ?", ada.id)).toEqual({ factors: 0 });
    for (const table of ["auth_totp", "auth_recovery_codes"])
      expect(rows.count(`${table} where user_id = ?`, ada.id)).toBe(0);
    const mail = await nextMail(mailbox, ada.email, "Two-step sign-in was reset for your account");
    expect(mail.text).not.toContain("staff.example.test");
    expect(mail.text).not.toContain(origin.address);
    const [row] = await audit.about(ada.id, 1, "auth.factors-reset");
    expect(row).toMatchObject({ actor: "service", service: "crm", outcome: "success" });
    // A password is enough again, and nothing is left to reset.
    expect((await signIn(ada)).status).toBe(200);
    expect(await accounts.resetFactors(ada.id, byService)).toBe(false);
  });

  test("M-25 is nothing that staff do to themselves, and reaches disabled accounts", async () => {
    const [ada, staff] = [await persons.register("ada"), await admin()];
    await Promise.all([setUpTotp(ada), setUpTotp(staff)]);
    expect(await refusalOf(accounts.resetFactors(staff.id, byStaff(staff.id)))).toBe("own_account");
    await accounts.disable(ada.id);
    expect(await accounts.resetFactors(ada.id, byStaff(staff.id))).toBe(true);
    expect(await refusalOf(accounts.resetFactors("nobody", byStaff(staff.id)))).toBe("not_found");
  });
});

test("M-76 once a day's wrong codes are a hundred the account says so, and unlocking forgets them", async () => {
  const ada = await persons.register("ada");
  const app = giveAuthenticator(rows, ada);
  const answer = async (code: string): Promise<Answer> => verify(await challengedAt(target.url, ada), code);
  const standing = async (): Promise<unknown> => (await people.show(ada.id)).standing;
  expect((await answer(app.wrong())).at("code")).toBe("invalid_code");
  // A single wrong code is no hindrance.
  expect(await standing()).toEqual([]);
  const [from, to] = [Date.now() + 23 * hour, Date.now() + 25 * hour];
  rows.run("update auth_attempts set attempts = 100 where expires_at between ? and ?", from, to);
  expect((await answer(app.code())).at("code")).toBe("rate_limited");
  expect(await standing()).toMatchObject([{ why: "codes_used_up", failures: 100 }]);
  expect(await accounts.unlock(ada.id, byService)).toBe(true);
  expect(await standing()).toEqual([]);
  expect((await answer(app.code())).status).toBe(200);
});

test("M-25 mfa-reset removes the second factors of a person, once, and M-26 the account shows which there were", async () => {
  const ada = await persons.register("ada");
  const totp = await setUpTotp(ada);
  const shown = await asked("get", `/${ada.id}`);
  expect(shown.at("user")).toMatchObject({ mfa: true, factors: [{ method: "totp" }], recovery_codes_left: 10 });
  expect(shown.text).not.toContain(totp.secret);
  expect((await asked("post", `/${ada.id}/mfa-reset`)).at("changed")).toBe(true);
  expect((await asked("post", `/${ada.id}/mfa-reset`)).at("changed")).toBe(false);
  expect((await asked("get", `/${ada.id}`)).at("user")).toMatchObject({ mfa: false, factors: [] });
  expect(await isServed(ada.client)).toBe(false);
});

test("M-26 shows which second factors there are and since when, and no secret", async () => {
  const ada = await persons.register("ada.factors");
  expect(await people.show(ada.id)).toMatchObject({ hasFactor: false, factors: [], recoveryCodesLeft: 0 });
  const { secret: shared, recoveryCodes } = await setUpTotp(ada);
  const person = await people.show(ada.id);
  expect(person).toMatchObject({
    hasFactor: true,
    factors: [{ method: "totp", name: null, addedAt: expect.any(Number), lastUsedAt: expect.any(Number) }],
    recoveryCodesLeft: 10,
  });
  expect((await people.list({ search: ada.id, limit: 1 })).people).toMatchObject([{ hasFactor: true }]);
  const hashes = rows.all("select code_hash from auth_recovery_codes where user_id = ?", ada.id);
  const text = JSON.stringify(person);
  const told = [shared, ...recoveryCodes, ...hashes.map((row) => String(row["code_hash"]))];
  expect(told.filter((hidden) => text.includes(hidden))).toEqual([]);
});

import { describe, expect, test } from "bun:test";
import type { By } from "../../../src/core/audit.ts";
import type { Accounts, People } from "../../../src/auth/index.ts";
import { auth, hour, mailedToken, nextMail, type Person } from "../../support/auth.ts";
import { refusalOf } from "../../support/refusal.ts";
import { office } from "../../support/office.ts";
import { stage } from "../../support/stage.ts";
import { readAudit, type AuditRow } from "../audit/audit.fixture.ts";

const {
  target,
  rows,
  mailbox,
  people: persons,
  browser,
} = await stage({ env: { ADMIN_APP_URL: "http://staff.example.test" } });
const { accounts }: { accounts: Accounts; people: People } = await office(target);
const audit = readAudit(rows);

const origin = { address: "198.51.100.7", userAgent: "Firefox", requestId: "a-request" };
const byService: By = { actor: "service", service: "crm", origin };
const byStaff = (userId: string): By => ({ actor: "staff", userId, role: "admin", origin });

const signIn = ({ username, password }: Person): Promise<{ status: number }> =>
  browser().post(auth("login"), { login: username, password });

/** Registers an admin whom no other test here touches. */
async function admin(): Promise<Person> {
  const person = await persons.register("staff");
  await accounts.changeRoles(person.id, { add: ["admin"], remove: [] });
  return person;
}

/** Fails to sign in from one address, and waits until the failures are in the audit log. */
async function fail(login: string, times: number, { id }: Person): Promise<void> {
  const before = audit.all("subject_user_id = ? and action = 'auth.login-failed'", id).length;
  for (let wrong = 0; wrong < times; wrong += 1)
    await browser().post(auth("login"), { login, password: "not the one" });
  await audit.about(id, before + times, "auth.login-failed");
}

describe("disabling", () => {
  test("R-01 ends every session of both apps at once, and lets nobody in until the account is enabled", async () => {
    const ada = await persons.register("ada");
    rows.run("update auth_sessions set app = 'admin' where user_id = ?", ada.id);
    const other = await ada.login();
    expect(await accounts.disable(ada.email)).toBe(true);
    expect((await other.get(auth("me"))).status).toBe(401);
    expect((await other.post(auth("refresh"))).status).toBe(401);
    expect(rows.count("auth_sessions where user_id = ? and revoked_at is null", ada.id)).toBe(0);
    expect((await signIn(ada)).status).toBe(401);
    expect(await accounts.enable(ada.username)).toBe(true);
    expect((await other.get(auth("me"))).status).toBe(401);
    expect((await other.post(auth("refresh"))).status).toBe(401);
    expect((await signIn(ada)).status).toBe(200);
  });

  test("R-01 voids the links for a new password that are under way", async () => {
    const ada = await persons.register("ada");
    await ada.client.post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    await accounts.disable(ada.id);
    await accounts.enable(ada.id);
    const reset = await browser().post(auth("password-reset/confirm"), {
      token,
      new_password: "another walk by the sea",
    });
    expect(reset.status).toBe(401);
  });
});

describe("unlocking", () => {
  test("R-05 forgets the wrong passwords under every name, those in a row, and the limit at the addresses they came from", async () => {
    const ada = await persons.register("ada");
    await fail(ada.username, 5, ada);
    await fail(ada.email, 5, ada);
    for (let more = 0; more < 6; more += 1) await signIn(ada);
    expect((await signIn(ada)).status).toBe(429);
    expect(await accounts.unlock(ada.id)).toBe(true);
    expect(rows.count("auth_attempts where locks_user = ?", ada.id)).toBe(0);
    expect((await signIn(ada)).status).toBe(200);
    expect((await browser().post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
  });

  test("R-05 opens an account that a hundred wrong passwords have blocked", async () => {
    const ada = await persons.register("ada");
    await fail(ada.username, 4, ada);
    rows.run(
      "update auth_attempts set attempts = 99 where failures = 0 and attempts = 4 and expires_at > ?",
      Date.now() + 24 * hour,
    );
    await fail(ada.username, 1, ada);
    expect(
      rows.get("select attempts from auth_attempts where locks_user = ? and locks_by = 'account'", ada.id),
    ).toEqual({
      attempts: 100,
    });
    expect(await accounts.unlock(ada.id)).toBe(true);
    expect((await signIn(ada)).status).toBe(200);
  });

  test("R-05 opens a browser that the account knows, which has a lock of its own", async () => {
    const ada = await persons.register("ada");
    for (let wrong = 0; wrong < 5; wrong += 1)
      await ada.client.post(auth("login"), { login: ada.email, password: "not the one" });
    const again = { login: ada.email, password: ada.password };
    expect((await ada.client.post(auth("login"), again)).status).toBe(423);
    expect(await accounts.unlock(ada.id)).toBe(true);
    expect((await ada.client.post(auth("login"), again)).status).toBe(200);
  });
});

describe("sending a reset", () => {
  test("R-07 asked for by staff of the admin app, mails a link to the pages of the app that people use", async () => {
    const [ada, staff] = [await persons.register("ada"), await admin()];
    await accounts.sendPasswordReset(ada.id, byStaff(staff.id));
    const mail = await nextMail(mailbox, ada.email, "Reset your password");
    expect(mail.text).toContain("/reset-password?token=");
    expect(mail.text).not.toContain("staff.example.test");
    // The address of the member of staff is nobody's business.
    expect(mail.text).not.toContain(origin.address);
    const token = /[?&]token=([\w-]+)/.exec(mail.text)?.[1] ?? "";
    const next = { token, new_password: "another walk by the sea" };
    expect((await browser().post(auth("password-reset/confirm"), next)).status).toBe(200);
  });

  test("R-07 is refused for a disabled account, which could not use it", async () => {
    const ada = await persons.register("ada");
    await accounts.disable(ada.id);
    expect(await refusalOf(accounts.sendPasswordReset(ada.id))).toBe("account_inactive");
    expect(audit.all("action = 'auth.password-reset-sent' and subject_user_id = ?", ada.id)).toEqual([]);
  });
});

test("ending one session leaves the others, and no session of somebody else ends", async () => {
  const [ada, grace] = [await persons.register("ada"), await persons.register("grace")];
  const second = await ada.login();
  const [{ id: first } = { id: "" }] = rows.all<{ id: string }>(
    "select id from auth_sessions where user_id = ? order by id",
    ada.id,
  );
  expect(await accounts.revokeSessions(grace.id, byService, first)).toBe(0);
  expect(await accounts.revokeSessions(ada.id, byService, first)).toBe(1);
  expect(await accounts.revokeSessions(ada.id, byService, first)).toBe(0);
  expect((await ada.client.get(auth("me"))).status).toBe(401);
  expect((await second.get(auth("me"))).status).toBe(200);
  expect(await accounts.revokeSessions(ada.id, byService)).toBe(1);
  expect((await second.get(auth("me"))).status).toBe(401);
});

test("R-08 verifying counts the address as proven, and not the one that waits for its confirmation", async () => {
  const ada = await persons.register("ada");
  const wish = { email: `new.${ada.email}`, current_password: ada.password };
  expect((await ada.client.post(auth("profile"), wish)).status).toBe(200);
  expect(await accounts.verify(ada.id)).toBe(true);
  const user = await ada.client.get(auth("me"));
  expect(user.at("user")).toMatchObject({ email: ada.email, pending_email: wish.email });
  expect(user.at("user.email_verified_at")).toBeString();
});

test("R-06 deleting takes everything that hangs on the account; the audit log keeps rows without name and address", async () => {
  const [ada, staff] = [await persons.register("ada.lovelace"), await admin()];
  await accounts.verify(ada.id);
  await fail(ada.username, 5, ada);
  await accounts.sendPasswordReset(ada.id);
  await accounts.delete(ada.id, byStaff(staff.id));
  const goodbye = await nextMail(mailbox, ada.email, "Your account was deleted");
  expect(goodbye.text).not.toContain(origin.address);
  expect((await ada.client.get(auth("me"))).status).toBe(401);
  for (const table of ["auth_sessions", "auth_grants", "mails", "auth_identities"])
    expect({ table, left: rows.count(`${table} where user_id = ?`, ada.id) }).toEqual({ table, left: 0 });
  expect(rows.count("auth_attempts where locks_user = ?", ada.id)).toBe(0);
  const kept = audit.all("subject_user_id = ?", ada.id);
  expect(kept.at(-1)).toMatchObject({ action: "auth.user-deleted", actor: "staff", actor_user_id: staff.id });
  expect(JSON.stringify(kept)).not.toContain("lovelace");
  expect(await refusalOf(accounts.delete(ada.id))).toBe("not_found");
});

describe("R-03 each act leaves one row that says who did it, and one that changes nothing leaves none:", () => {
  const acts: Readonly<Record<string, { act: (id: string, by?: By) => Promise<unknown>; leaves: Partial<AuditRow> }>> =
    {
      verify: { act: accounts.verify, leaves: { action: "auth.email-verified", reason: "vouched_for" } },
      unlock: { act: accounts.unlock, leaves: { action: "auth.user-unlocked" } },
      "give a role": {
        act: (id, by) => accounts.changeRoles(id, { add: ["editor"], remove: [] }, by),
        leaves: { action: "auth.role-added", reason: "editor" },
      },
      "end all sessions": {
        act: accounts.revokeSessions,
        leaves: { action: "auth.session-revoked", reason: "all_sessions" },
      },
      disable: { act: accounts.disable, leaves: { action: "auth.user-disabled" } },
      enable: {
        act: async (id, by) => {
          rows.run("update users set active = 0 where id = ?", id);
          await accounts.enable(id, by);
        },
        leaves: { action: "auth.user-enabled" },
      },
    };

  test.each(Object.entries(acts))("%s", async (_name, { act, leaves }) => {
    const staff = await admin();
    const actors: readonly [By | undefined, Partial<AuditRow>][] = [
      [undefined, { actor: "operator", actor_user_id: null, service: null, address: null, user_agent: null }],
      [
        byStaff(staff.id),
        { actor: "staff", actor_user_id: staff.id, service: null, address: origin.address, request_id: "a-request" },
      ],
      [
        byService,
        { actor: "service", actor_user_id: null, service: "crm", address: origin.address, user_agent: "Firefox" },
      ],
    ];
    for (const [by, row] of actors) {
      const ada = await persons.register("ada");
      await fail(ada.username, 1, ada);
      const before = audit.all("subject_user_id = ?", ada.id).length;
      await act(ada.id, by);
      const left = audit.all("subject_user_id = ?", ada.id).slice(before);
      expect(left).toHaveLength(1);
      expect(left[0]).toMatchObject({ ...leaves, ...row, app: "admin", outcome: "success" });
      if (leaves.action === "auth.user-enabled") await accounts.enable(ada.id, by);
      else await act(ada.id, by);
      expect(audit.all("subject_user_id = ?", ada.id)).toHaveLength(before + 1);
    }
  });

  test("create, which a service may as well", async () => {
    const account = { email: "made.by.crm@example.test", password: "a long walk by the sea", verified: true };
    const { id } = await accounts.create(account, byService);
    expect(audit.all("subject_user_id = ?", id)).toMatchObject([
      { action: "auth.registered", actor: "service", service: "crm", actor_user_id: null, session_id: null },
    ]);
    expect(await refusalOf(accounts.create(account, byService))).toBe("email_taken");
  });

  test("an account that is not there", async () => {
    const before = audit.all().length;
    for (const { act } of Object.values(acts)) expect(await refusalOf(act("nobody"))).toBe("not_found");
    expect(audit.all()).toHaveLength(before);
  });
});

describe("R-04 admins do not lock each other out:", () => {
  test("staff do not disable, demote or delete themselves", async () => {
    const staff = await admin();
    const by = byStaff(staff.id);
    expect(await refusalOf(accounts.disable(staff.id, by))).toBe("own_account");
    expect(await refusalOf(accounts.delete(staff.username, by))).toBe("own_account");
    expect(await refusalOf(accounts.changeRoles(staff.email, { add: [], remove: ["admin"] }, by))).toBe("own_account");
    const editor = { add: ["editor"], remove: [] };
    const roles = ["admin", "editor"];
    expect(await accounts.changeRoles(staff.id, editor, by)).toEqual({ roles, isChanged: true });
    expect(await accounts.changeRoles(staff.id, editor, by)).toEqual({ roles, isChanged: false });
    expect((await staff.client.get(auth("me"))).status).toBe(200);
  });

  test("staff who are demoted or disabled do nothing more", async () => {
    const [ada, demoted, disabled] = [await persons.register("ada"), await admin(), await admin()];
    await accounts.changeRoles(demoted.id, { add: [], remove: ["admin"] });
    await accounts.disable(disabled.id);
    for (const { id } of [demoted, disabled]) {
      expect(await refusalOf(accounts.disable(ada.id, byStaff(id)))).toBe("forbidden");
      expect(await refusalOf(accounts.delete(ada.id, byStaff(id)))).toBe("forbidden");
      const account = { email: `made.by.${id}@example.test`, password: "a walk by the sea", verified: false };
      expect(await refusalOf(accounts.create(account, byStaff(id)))).toBe("forbidden");
    }
    expect((await ada.client.get(auth("me"))).status).toBe(200);
  });

  test("of two who disable each other at once, one stays", async () => {
    for (let round = 0; round < 8; round += 1) {
      const [ada, grace] = [await admin(), await admin()];
      const outcomes = await Promise.all([
        refusalOf(accounts.disable(ada.id, byStaff(grace.id))),
        refusalOf(accounts.disable(grace.id, byStaff(ada.id))),
      ]);
      expect(outcomes.toSorted()).toEqual(["forbidden", undefined]);
      expect(rows.count("users where id in (?, ?) and active = 1", ada.id, grace.id)).toBe(1);
    }
  });

  test("a service takes no last admin; an operator may", async () => {
    rows.run("update users set roles = '' where roles <> ''");
    const [last, other] = [await admin(), await admin()];
    expect(await accounts.disable(other.id, byService)).toBe(true);
    expect(await refusalOf(accounts.disable(last.id, byService))).toBe("last_admin");
    expect(await refusalOf(accounts.delete(last.id, byService))).toBe("last_admin");
    expect(await accounts.disable((await persons.register("ada")).id, byService)).toBe(true);
    expect(await accounts.disable(last.id)).toBe(true);
  });
});

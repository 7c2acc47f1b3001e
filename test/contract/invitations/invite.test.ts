import { describe, expect, test } from "bun:test";
import { createCleanup } from "../../../src/app/roles/cleanup.ts";
import { createCleanupRepository } from "../../../src/auth/cleanup.repository.ts";
import { staleAuthRows } from "../../../src/auth/cleanup.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { agesOf } from "../../support/ages.ts";
import { openDatabaseAt } from "../../support/database.ts";
import { createLog } from "../../../src/observe/log.ts";
import { auth, expectRefusal, hour, minute } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";
import { invitationKit, password } from "./invitation.fixture.ts";

const env = { APP_URL: "https://id.example.test", APP_DISPLAY_NAME: "Lindenhof Bücher" };
const staged = await stage({ env });
const { target, rows, mailbox, people, browser } = staged;
const kit = await invitationKit(staged);
const day = 24 * hour;

async function clean(): Promise<void> {
  const database = openDatabaseAt(target.databasePath);
  const stale = staleAuthRows({ rows: createCleanupRepository(database, "app"), sessionIdleTtlMs: 2 * hour });
  const log = createLog({ format: "json", level: "info", clock: systemClock, secrets: [], write: () => {} });
  await createCleanup({ stale, clock: systemClock, ages: agesOf(systemClock), log }).schedule.run(
    new AbortController().signal,
  );
  await database.close();
}
const told = (invitationId: unknown) =>
  rows
    .all(
      "select action, actor, service, reason from audit_events where invitation_id = ? order by at, id",
      String(invitationId),
    )
    .map(({ action, actor, service }) => [action, actor, service].filter((part) => part !== null).join(" "));

describe("POST /api/v1/users/invite", () => {
  test("I-02 mails a token of 256 bits that is made with the mail and kept by its hash alone", async () => {
    const email = kit.address("ada");
    const answer = await kit.invite(email, { roles: ["editor"], display_name: "Ada" });
    expect(answer.at("invitation")).toMatchObject({
      email,
      roles: ["editor"],
      display_name: "Ada",
      state: "waiting",
      invited_by: { actor: "service", name: "crm" },
      accepted_at: null,
    });
    const token = await kit.tokenTo(email);
    expect(Buffer.from(token, "base64url").length).toBe(32);
    expect(answer.text).not.toContain(token);
    for (const name of rows.tables().keys())
      expect(JSON.stringify(rows.all(`select * from "${name}"`))).not.toContain(token);
    expect(target.logs()).not.toContain(token);
    // The job does not name the address, which is deleted with the invitation.
    expect(rows.count("jobs where name = 'auth:send-invitation' and payload like '%@%'")).toBe(0);
  });

  test("I-16 the mail is plain: nothing that was typed but the address, nobody's device, in the language that was asked for", async () => {
    const email = kit.address("ada");
    await kit.invite(email, { display_name: "You have won" });
    const mail = await mailbox.next(email);
    expect(mail.message.subject).toBe("You are invited to Lindenhof Bücher");
    expect(mail.text).toStartWith("Hello,\n");
    expect(`${mail.message.subject} ${mail.text} ${mail.html}`).not.toMatch(/You have won|127\.0\.0\.1|crm/);
    expect(mail.text).toMatch(/The link works once, until \d{1,2} \w+ 20\d\d at \d\d:\d\d UTC\./);
    expect(mail.text).toContain("If you did not expect this, there is nothing to do");
    const links = [...mail.html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url);
    expect(links[0]).toMatch(/^https:\/\/id\.example\.test\/accept-invitation\?token=[\w-]{43}$/);
    expect(links).toEqual([links[0], links[0], "https://id.example.test"]);
    const german = kit.address("grace");
    await kit.invite(german, { locale: "de-CH" });
    const other = await mailbox.next(german);
    expect(other.message.subject).toBe("Sie sind zu Lindenhof Bücher eingeladen");
    expect(other.html).toContain('<html lang="de" dir="ltr">');
  });

  test("names every field that is wrong, and refuses an address that has an account", async () => {
    const answer = await kit.invite("no address", { roles: ["Admin", 5], days: 31, locale: "?", display_name: 5 });
    expect([answer.status, answer.at("code")]).toEqual([400, "invalid_payload"]);
    expect((await kit.invite("ada@invited.test", { days: 31 })).at("fields.days.code")).toBe("invalid_value");
    expect((await kit.invite("ａda@invited.test")).at("fields.email.code")).toBe("look_alike_email");
    expect((await kit.invite("ada@invited.test", { roles: ["Admin"] })).at("fields.roles.code")).toBe("invalid_value");
    const ada = await people.register("ada");
    for (const email of [ada.email, ada.email.toUpperCase()]) {
      const taken = await kit.invite(email);
      expectRefusal(taken, 409, "email already in use", "email_taken");
      expect(taken.at("detail")).toBe(
        "There is an account with this address already. Give that one the roles instead.",
      );
    }
  });

  test("I-12 one mailbox gets three mails in an hour and ten in a day, however its address is spelled and whoever asks", async () => {
    const email = kit.address("ada");
    let mails = 0;
    for (let hours = 0; hours < 4; hours += 1) {
      for (const spelling of [email, email.toUpperCase(), email, email]) {
        const answer = await kit.invite(spelling);
        if (answer.status === 200) mails += 1;
        else {
          expectRefusal(answer, 429, "rate limited", "rate_limited");
          expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
        }
      }
      expect(mails).toBe(Math.min(10, 3 * (hours + 1)));
      rows.letPass(hour + minute);
    }
    const asOperator = await kit.run("user:invite", email);
    expect(asOperator).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/rate limited\n {2}try again in \d+ min/),
    });
    rows.letPass(day);
    expect((await kit.invite(email)).status).toBe(200);
  });

  test("I-13 a service gives roles by the scope users:roles alone", async () => {
    const invite = await kit.inviterOf("billing", "users:write");
    const email = kit.address("ada");
    expect((await invite(email, { roles: ["editor"] })).at("code")).toBe("forbidden");
    expect((await invite(email, { roles: [] })).at("invitation.roles")).toEqual([]);
  });

  test("I-20 without that scope it neither prolongs nor revives an invitation that gives roles, whoever made it", async () => {
    const invite = await kit.inviterOf("newsletter", "users:write");
    const email = kit.address("ada");
    expect((await kit.run("user:invite", email, "--role", "editor")).code).toBe(0);
    const until = () => rows.get("select expires_at from auth_invitations where email = ?", email)["expires_at"];
    const before = until();
    expect((await invite(email)).at("code")).toBe("forbidden");
    expect(until()).toBe(before);
    rows.letPass(8 * day);
    expect((await invite(email)).at("code")).toBe("forbidden");
    expect((await kit.invite(email)).at("invitation.roles")).toEqual(["editor"]);
  });

  test("I-13 nobody becomes admin by a service, neither by its invitation nor by one that it renews, and none ends such a one", async () => {
    const email = kit.address("ada");
    expect((await kit.invite(email, { roles: ["admin", "editor"] })).at("code")).toBe("forbidden");
    expect((await kit.run("user:invite", email, "--role", "admin")).code).toBe(0);
    expect((await kit.invite(email)).at("code")).toBe("forbidden");
    const [row] = rows.all("select id from auth_invitations where email = ?", email);
    expect((await kit.withdraw(String(row?.["id"]))).at("code")).toBe("forbidden");
    expect((await kit.accept(await kit.tokenTo(email))).at("user.roles")).toEqual(["admin"]);
  });

  test("takes the scopes users:write and users:read, and nobody's session", async () => {
    const ada = await people.register("ada");
    const [list, withdraw] = ["/api/v1/users/invitations", "/api/v1/users/invitations/x/withdraw"];
    for (const client of [browser(), ada.client])
      for (const [method, path] of [
        ["POST", "/api/v1/users/invite"],
        ["GET", list],
        ["POST", withdraw],
      ] as const)
        expect((await client.request(method, path, method === "POST" ? {} : undefined)).status).toBe(401);
    expect((await kit.withdraw("x")).at("code")).toBe("invitation_not_found");
  });
});

describe("GET /api/v1/users/invitations", () => {
  test("lists what waits page by page, the last renewed first, and with `all` what is over", async () => {
    const emails = [kit.address("list"), kit.address("list"), kit.address("list")];
    for (const email of emails) await kit.invited(email);
    const [first = ""] = emails;
    await kit.invited(first);
    const page = await kit.list("?limit=2");
    expect([page.at("invitations.0.email"), page.at("invitations.1.email")]).toEqual([first, emails[2]]);
    const rest = await kit.list(`?limit=1&cursor=${page.textAt("next")}`);
    expect(rest.at("invitations.0.email")).toBe(emails[1]);
    await kit.withdraw(page.textAt("invitations.0.id"));
    expect((await kit.list("?limit=1")).at("invitations.0.email")).toBe(emails[2]);
    expect((await kit.list("?limit=1&all=true")).at("invitations.0")).toMatchObject({
      email: first,
      state: "withdrawn",
    });
    expect((await kit.list("?cursor=x")).at("fields.cursor.code")).toBe("invalid_value");
  });
});

describe("what is kept", () => {
  test("I-17 every act is in the audit log with who did it, and subscribers hear of it without an address", async () => {
    const email = kit.address("ada");
    const { textAt } = await kit.invite(email);
    await kit.accept(await kit.tokenTo(email));
    expect(told(textAt("invitation.id"))).toEqual(["auth.user-invited service crm", "auth.invitation-accepted user"]);
    const other = kit.address("grace");
    const invited = await kit.run("user:invite", other, "--role", "editor", "--json");
    const { id } = JSON.parse(invited.stdout);
    await kit.run("user:uninvite", other);
    expect(told(id)).toEqual(["auth.user-invited operator", "auth.invitation-withdrawn operator"]);
    const listed = await kit.run("audit:list", "--action", "auth.invitation-withdrawn", "--json");
    expect(listed.stdout).toContain(`"invitation_id":"${id}"`);
    expect(JSON.stringify(rows.all("select * from audit_events"))).not.toContain(email);
  });

  test("I-18 an export has the account's invitations, and a deletion takes them with it", async () => {
    const email = kit.address("ada");
    const token = await kit.invited(email, { roles: ["editor"] });
    const ada = browser();
    await kit.accept(token, { password }, ada);
    const exported = await ada.get(auth("account/export"));
    expect(exported.at("invitations.0")).toMatchObject({ email, roles: ["editor"], accepted_at: expect.any(String) });
    expect(exported.at("invitations.1")).toBeUndefined();
    expect((await ada.post(auth("account/delete"), { current_password: password })).status).toBe(200);
    expect(rows.count("auth_invitations where email = ?", email)).toBe(0);
    expectRefusal(await kit.show(token), 401, "invalid invitation token", "invalid_invitation_token");
  });

  test("I-18 whoever never answered is forgotten on demand, and after a month by itself", async () => {
    const [ada, grace] = [kit.address("ada"), kit.address("grace")];
    const token = await kit.invited(ada);
    await kit.invited(grace);
    const forgotten = await kit.run("user:uninvite", ada, "--forget");
    expect(forgotten.stdout).toBe("1 invitation deleted: no link works any more\n");
    expect((await kit.show(token)).at("code")).toBe("invalid_invitation_token");
    rows.letPass(36 * day);
    await clean();
    expect(rows.count("auth_invitations where email = ?", grace)).toBe(1);
    rows.letPass(day + minute);
    await clean();
    expect(rows.count("auth_invitations where email = ?", grace)).toBe(0);
    expect(
      rows.count(
        "auth_invitation_tokens t where not exists (select 1 from auth_invitations i where i.id = t.invitation_id)",
      ),
    ).toBe(0);
  });
});

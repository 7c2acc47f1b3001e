import { afterAll, describe, expect, test } from "bun:test";
import { auth, mailedToken, nextMail, type Person, signInSubject } from "../../support/auth.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import type { Answer, Client } from "../../support/client.ts";
import { giveAuthenticator } from "../../support/factor.ts";
import { signInWith as signInAt } from "../../support/oauth/journey.ts";
import { startOpenId } from "../../support/oauth/openid.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { createPageVisitor, textOf } from "../../support/staff.ts";
import { startTarget } from "../../support/target.ts";
import { add, signIn as signInByPasskey } from "../auth/passkeys.fixture.ts";
import { of } from "./organization.fixture.ts";
import { ended, stageCompanies, type Company } from "./provider.fixture.ts";

const google = await startOpenId("google");
afterAll(google.stop);
const world = await stageCompanies({ ...google.env, AUTH_EMAIL_LOGIN_ENABLED: "true" });
const {
  account,
  browser,
  company,
  domains,
  employee,
  kit,
  mailbox,
  people,
  rows,
  setProvider,
  signInWith,
  target,
  visit,
} = world;

const login = (client: Client, person: Person): Promise<Answer> =>
  client.post(auth("login"), { login: person.email, password: person.password });
/** What everybody is answered who comes by another way than the provider. */
const demanded = ({ start }: Company) => [403, "provider_required", `${publicUrl}${start}`];
const refusal = ({ status, at }: Answer): unknown => [status, at("code"), at("redirect")];
const code = ({ status, at }: Answer): unknown => [status, at("code")];

describe("where an organization demands its provider", () => {
  test("Z-29 a member's password opens nothing, tells where to go, and is no failure that would lock", async () => {
    const acme = await company({ enforced: true });
    const bob = await employee(acme);
    for (let times = 0; times < 6; times += 1) expect(refusal(await login(browser(), bob))).toEqual(demanded(acme));
    for (const name of [bob.username, bob.email.toUpperCase()])
      expect(refusal(await login(browser(), { ...bob, email: name }))).toEqual(demanded(acme));
    const client = browser();
    expect((await login(client, bob)).setCookies).toEqual([]);
    expect(code(await login(client, { ...bob, password: "wrong" }))).toEqual([401, "invalid_credentials"]);
    const told = rows.count("audit_events where subject_user_id = ? and reason = 'provider_required'", bob.id);
    expect(told).toBe(9);
    // Who is signed in stays so.
    expect((await bob.client.get(auth("me"))).status).toBe(200);
    const byProvider = await signInWith(acme, account(bob.email));
    expect(ended(byProvider.answer)).toBe("/");
  });

  test("Z-29 so do a reset, a mailed link, a mailed code and a passkey", async () => {
    const acme = await company();
    const bob = await employee(acme);
    const authenticator = await createAuthenticator(publicUrl, "ES256");
    expect((await add(bob.client, authenticator)).status).toBe(200);
    rows.run("delete from auth_challenges where user_id = ?", bob.id);
    await setProvider(acme.owner, acme.id, { enforced: true });
    await browser().post(auth("password-reset/request"), { login: bob.email });
    const token = await mailedToken(mailbox, bob.email, "Reset your password");
    const reset = { token, new_password: "another walk by the sea" };
    expect(refusal(await browser().post(auth("password-reset/inspect"), { token }))).toEqual(demanded(acme));
    expect(refusal(await browser().post(auth("password-reset/confirm"), reset))).toEqual(demanded(acme));
    const client = browser();
    await client.post(auth("email-login/request"), { login: bob.email });
    const mail = await nextMail(mailbox, bob.email, signInSubject);
    const [, link = ""] = /email-login\?token=([\w-]{43})/.exec(mail.text) ?? [];
    const [, digits = ""] = /^(\d{6})$/m.exec(mail.text) ?? [];
    const confirm = (proof: object) => client.post(auth("email-login/confirm"), proof);
    expect(refusal(await confirm({ login: bob.email, code: digits }))).toEqual(demanded(acme));
    expect(refusal(await confirm({ token: link }))).toEqual(demanded(acme));
    expect(refusal(await signInByPasskey(browser(), authenticator))).toEqual(demanded(acme));
    expect(rows.count("auth_sessions where user_id = ? and came_by <> 'password'", bob.id)).toBe(0);
    // Nothing was used up: once the organization demands it no more, all of them are good.
    await setProvider(acme.owner, acme.id, { enforced: false });
    expect(code(await confirm({ token: link }))).toEqual([401, "mfa_required"]);
    expect((await browser().post(auth("password-reset/confirm"), reset)).status).toBe(200);
  });

  test("Z-29 so does another provider, which leads on to that of the organization", async () => {
    const acme = await company();
    const bob = await employee(acme);
    google.accounts.set("bob", { subject: "bob-at-google", email: bob.email, emailVerified: true });
    expect(ended(await signInAt(bob.client, google, "bob", { link: true }))).toBe("/");
    expect(ended(await signInAt(browser(), google, "bob"))).toBe("/");
    await setProvider(acme.owner, acme.id, { enforced: true });
    const refused = await signInAt(browser(), google, "bob");
    expect(refusal(refused)).toEqual(demanded(acme));
    expect(refused.setCookies.map(({ name }) => name)).not.toContain("auth_access");
  });

  test("Z-29 so does a second factor that was asked for before", async () => {
    const acme = await company();
    const bob = await employee(acme);
    const app = giveAuthenticator(rows, bob);
    const client = browser();
    const challenge = (await login(client, bob)).textAt("challenge");
    await setProvider(acme.owner, acme.id, { enforced: true });
    const verified = await client.post(auth("login/verify"), { challenge, method: "totp", code: app.code() });
    expect(refusal(verified)).toEqual(demanded(acme));
    // By the provider the second factor still counts.
    const { client: other, answer } = await signInWith(acme, account(bob.email));
    const asked = new URL(String(ended(answer)), "http://x").searchParams.get("challenge");
    const done = await other.post(auth("login/verify"), { challenge: asked, method: "totp", code: app.code() });
    expect(done.status).toBe(200);
  });

  test("Z-29 so does an invitation, for somebody without an account", async () => {
    const acme = await company({ enforced: true });
    const email = `new@${acme.domain}`;
    await acme.owner.client.post(of(acme.id, "invitations"), { email, roles: ["admin"] });
    const token = await kit.invitationOf(email);
    const accepted = await kit.accept(browser(), token, { password: "a long walk by the sea", username: "newbob" });
    expect(refusal(accepted)).toEqual(demanded(acme));
    const byGoogle = await browser().post(auth("oauth/google/invitation/start"), { token });
    expect(refusal(byGoogle)).toEqual(demanded(acme));
    const { client } = await signInWith(acme, account(email));
    expect((await client.get(of(acme.id))).at("organization.roles")).toEqual(["admin"]);
    // A guest with an address elsewhere joins as before.
    const guest = await people.register("guest");
    await kit.join(acme.owner, acme.id, guest);
    expect((await login(browser(), guest)).status).toBe(200);
  });

  test("Z-29 a domain that lets everybody join lets nobody in by another way", async () => {
    const acme = await company({ enforced: true, join: "auto" });
    const bob = await domains.person("bob", acme.domain);
    expect((await login(browser(), bob)).status).toBe(200);
    expect((await bob.client.get("/api/v1/auth/organizations")).at("organizations")).toEqual([]);
    expect((await bob.client.get("/api/v1/auth/organizations")).at("joinable")).toEqual([]);
    expect(code(await bob.client.post(of(acme.id, "join")))).toEqual([404, "organization_not_found"]);
    expect(ended((await signInWith(acme, account(bob.email))).answer)).toBe("/");
    expect(refusal(await login(browser(), bob))).toEqual(demanded(acme));
  });

  test("Z-29 the address stays, and one that is moved below the domain is held to it", async () => {
    const acme = await company({ enforced: true });
    const bob = await employee(acme);
    const elsewhere = { email: `bob${bob.id.slice(-6)}@home.test`, current_password: bob.password };
    expect(code(await bob.client.post(auth("profile"), elsewhere))).toEqual([403, "forbidden"]);
    const guest = await people.register("guest");
    await kit.join(acme.owner, acme.id, guest);
    const email = `guest${guest.id.slice(-6)}@${acme.domain}`;
    await guest.client.post(auth("profile"), { email, current_password: guest.password });
    const token = await mailedToken(mailbox, email, "Verify your email");
    expect((await login(browser(), guest)).status).toBe(200);
    expect((await guest.client.post(auth("email-verification/confirm"), { token })).status).toBe(200);
    expect(refusal(await login(browser(), { ...guest, email }))).toEqual(demanded(acme));
  });

  test("Z-29 owners with a second factor may sign in by their own ways, and owners without one may not", async () => {
    const acme = await company({ enforced: true });
    const eve = await employee(acme, "eve");
    await acme.owner.client.post(of(acme.id, "members", eve.id, "roles"), { roles: ["owner"] });
    expect(refusal(await login(browser(), eve))).toEqual(demanded(acme));
    const app = giveAuthenticator(rows, eve);
    const client = browser();
    const asked = await login(client, eve);
    expect(code(asked)).toEqual([401, "mfa_required"]);
    const challenge = asked.textAt("challenge");
    expect((await client.post(auth("login/verify"), { challenge, method: "totp", code: app.code() })).status).toBe(200);
    await acme.owner.client.post(of(acme.id, "members", eve.id, "roles"), { roles: ["admin"] });
    expect(refusal(await login(browser(), eve))).toEqual(demanded(acme));
  });

  test("Z-29 everybody else signs in as ever: guests, those who have left, and once the domain is lost, all", async () => {
    const acme = await company({ enforced: true });
    const [bob, eve, stranger] = [
      await employee(acme),
      await employee(acme, "eve"),
      await domains.person("mallory", acme.domain),
    ];
    expect((await login(browser(), stranger)).status).toBe(200);
    await acme.owner.client.post(of(acme.id, "members", eve.id, "remove"));
    expect((await login(browser(), eve)).status).toBe(200);
    const sub = await people.register("sub", { email: `sub@sub.${acme.domain}` });
    rows.prove(sub);
    await acme.owner.client.post(of(acme.id, "invitations"), { email: sub.email });
    await kit.accept(sub.client, await kit.invitationOf(sub.email));
    expect((await login(browser(), sub)).status).toBe(200);
    expect(refusal(await login(browser(), bob))).toEqual(demanded(acme));
    rows.run("update organization_domains set verified_at = null where id = ?", acme.domainId);
    expect((await login(browser(), bob)).status).toBe(200);
  });

  test("Z-29 somebody whom the provider may not link signs in by their own ways where it has just spoken for them, and links it", async () => {
    const acme = await company();
    const bob = await employee(acme);
    await kit.create(bob);
    await setProvider(acme.owner, acme.id, { enforced: true });
    expect(refusal(await login(browser(), bob))).toEqual(demanded(acme));
    const at = account(bob.email);
    const { client, answer } = await signInWith(acme, at);
    expect(ended(answer)).toEqual([409, "identity_link_required"]);
    const voucher = client.cookie("auth_vouched") ?? "";
    for (const forged of [
      "",
      "x",
      voucher.slice(0, -2),
      `9${voucher}`,
      voucher.replace(/^\d+/, String(Date.now() + 500_000)),
    ]) {
      const other = browser();
      other.setCookie("auth_vouched", forged);
      expect(refusal(await login(other, bob))).toEqual(demanded(acme));
    }
    const eve = await employee({ ...acme, owner: acme.owner }, "eve");
    expect(refusal(await login(client.copy(), eve))).toEqual(demanded(acme));
    expect(code(await login(client, { ...bob, password: "wrong" }))).toEqual([401, "invalid_credentials"]);
    expect((await login(client, bob)).status).toBe(200);
    expect(ended(await visit(client, acme.start.replace("/start", "/link/start"), at))).toBe("/");
    expect(ended((await signInWith(acme, at)).answer)).toBe("/");
  });

  test("Z-29 an address that nobody has proven is no way past it", async () => {
    const acme = await company();
    const mallory = await domains.person("mallory", acme.domain, false);
    rows.run(
      "insert into organization_members (organization_id, user_id, roles, rank, joined_at) values (?, ?, 'member', 0, 0)",
      acme.id,
      mallory.id,
    );
    expect((await login(browser(), mallory)).status).toBe(200);
    await setProvider(acme.owner, acme.id, { enforced: true });
    expect(refusal(await login(browser(), mallory))).toEqual(demanded(acme));
  });

  test("Z-29 what takes the provider's link back works, and ends what it has opened", async () => {
    const acme = await company({ enforced: true });
    const bob = await employee(acme);
    rows.run("update users set created_at = created_at - 10000 where id = ?", bob.id);
    const { client } = await signInWith(acme, account(bob.email));
    const mail = await nextMail(mailbox, bob.email, "A sign-in was linked to your account");
    const [, token = ""] = /reset-password\?token=([\w-]+)/.exec(mail.text) ?? [];
    const taken = await browser().post(auth("password-reset/confirm"), {
      token,
      new_password: "a new walk by the sea",
    });
    expect(taken.status).toBe(200);
    expect((await client.get(auth("me"))).status).toBe(401);
    expect(rows.count("auth_identities where user_id = ?", bob.id)).toBe(0);
    expect(refusal(await login(browser(), { ...bob, password: "a new walk by the sea" }))).toEqual(demanded(acme));
  });

  test("Z-29 the admin app, in which no provider signs anybody in, has rules of its own", async () => {
    const acme = await company({ enforced: true });
    const bob = await employee(acme);
    rows.run("update users set roles = 'admin' where id = ?", bob.id);
    expect(refusal(await login(browser(), bob))).toEqual(demanded(acme));
    const admin = await startTarget({ app: "admin", env: target.env, migrate: false, roles: ["http"] });
    const entered = await createPageVisitor(admin.url).submit("/login", { login: bob.email, password: bob.password });
    expect(textOf(entered)).not.toContain("its own provider");
    expect(entered.setCookies.map(({ name }) => name)).toContain("admin_auth_access");
    await admin.stop();
  });
});

import { describe, expect, test } from "bun:test";
import { auth, mailedToken, nextMail, type Person } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { of, organizations } from "./organization.fixture.ts";
import { ended, stageCompanies } from "./provider.fixture.ts";

const world = await stageCompanies({ ORGANIZATIONS_MAX_MEMBERS: "5" });
const {
  account,
  acme: provider,
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
  visit,
} = world;

const emailOf = async (client: Client): Promise<unknown> => (await client.get(auth("me"))).at("user.email");
const idsOf = async (client: Client): Promise<unknown> => {
  const listed = (await client.get(organizations)).at("organizations");
  return Array.isArray(listed) ? listed.map((each: { id: string }) => each.id) : listed;
};
const identities = (person: Pick<Person, "id">): number => rows.count("auth_identities where user_id = ?", person.id);

describe("a newcomer by the provider of an organization", () => {
  test("Z-30 with an address below the domain becomes a member, and comes back as the same", async () => {
    const acme = await company();
    const bob = account(`Bob@${acme.domain}`, { name: "Bob Builder" });
    const first = await signInWith(acme, bob);
    expect(ended(first.answer)).toBe("/");
    const me = await first.client.get(auth("me"));
    expect(me.at("user")).toMatchObject({ email: `Bob@${acme.domain}`, display_name: "Bob Builder" });
    expect(me.at("user.email_verified_at")).not.toBeNull();
    expect(await idsOf(first.client)).toEqual([acme.id]);
    const again = await signInWith(acme, bob);
    expect((await again.client.get(auth("me"))).at("user.id")).toBe(me.at("user.id"));
    const told = rows.all(
      "select action from audit_events where subject_user_id = ? order by at, id",
      me.textAt("user.id"),
    );
    expect(told.map(({ action }) => action).toSorted()).toEqual(
      ["auth.registered", "organization.member-added", "auth.identity-linked", "auth.logged-in"].toSorted(),
    );
  });

  test("Z-31 is nobody where the address lies elsewhere, is missing, or only looks alike", async () => {
    const acme = await company();
    const before = rows.count("users");
    for (const domain of [
      `evil-${acme.domain}`,
      `${acme.domain}.evil.test`,
      `sub.${acme.domain}`,
      acme.domain.replace("acme", "аcme"),
    ])
      expect(ended((await signInWith(acme, account(`bob@${domain}`))).answer)).toEqual([400, "domain_not_allowed"]);
    provider.accounts.set("nameless", { subject: "nameless" });
    expect(ended((await signInWith(acme, "nameless")).answer)).toEqual([403, "oauth_email_missing"]);
    expect(rows.count("users")).toBe(before);
  });

  test("Z-30 gets the roles of an invitation that waits for the address", async () => {
    const acme = await company();
    const email = `bob@${acme.domain}`;
    await acme.owner.client.post(of(acme.id, "invitations"), { email, roles: ["admin", "billing"] });
    const { client } = await signInWith(acme, account(email));
    expect((await client.get(of(acme.id))).at("organization.roles")).toEqual(["admin", "billing"]);
    expect((await acme.owner.client.get(of(acme.id, "invitations"))).at("invitations")).toEqual([]);
  });

  test("Z-30 finds no place in an organization that is full", async () => {
    const acme = await company();
    for (let members = 1; members < 5; members += 1)
      expect((await signInWith(acme, account(`worker${members}@${acme.domain}`))).answer.status).toBe(303);
    expect(ended((await signInWith(acme, account(`bob@${acme.domain}`))).answer)).toEqual([409, "limit_reached"]);
    expect(rows.count("users where email_key = ?", `bob@${acme.domain}`)).toBe(0);
  });
});

describe("an account that is there already", () => {
  test("Z-30 of somebody who is in this organization alone is linked at the first sign-in, and told by a mail that takes it back", async () => {
    const acme = await company();
    const bob = await employee(acme);
    // An identity of the account's first second counts as the one that it was made with.
    rows.run("update users set created_at = created_at - 10000 where id = ?", bob.id);
    const { client, answer } = await signInWith(acme, account(bob.email));
    expect(ended(answer)).toBe("/");
    expect(await emailOf(client)).toBe(bob.email);
    expect(identities(bob)).toBe(1);
    const mail = await nextMail(mailbox, bob.email, "A sign-in was linked to your account");
    expect(mail.text).toContain("Acme");
    const token = /reset-password\?token=([\w-]+)/.exec(mail.text)?.[1] ?? "";
    const taken = await browser().post(auth("password-reset/confirm"), {
      token,
      new_password: "a new walk by the sea",
    });
    expect(taken.status).toBe(200);
    expect(identities(bob)).toBe(0);
    expect((await client.get(auth("me"))).status).toBe(401);
    // Once its person has said no, the provider links itself no more.
    expect(ended((await signInWith(acme, account(bob.email))).answer)).toEqual([409, "identity_link_required"]);
    expect((await bob.login({ password: "a new walk by the sea" })).cookie("auth_access")).toBeString();
  });

  test.each([
    ["is in another organization too", async (bob: Person) => void (await kit.create(bob))],
    ["is staff", async (bob: Person) => void rows.run("update users set roles = 'admin' where id = ?", bob.id)],
    [
      "has not proven the address",
      async (bob: Person) => void rows.run("update users set email_verified_at = null where id = ?", bob.id),
    ],
  ])("Z-30 of somebody who %s is not linked by itself", async (_, change) => {
    const acme = await company();
    const bob = await employee(acme);
    await change(bob);
    expect(ended((await signInWith(acme, account(bob.email))).answer)).toEqual([409, "identity_link_required"]);
    expect(identities(bob)).toBe(0);
  });

  test("Z-30 of somebody who is no member is not linked, unless the domain lets everybody join", async () => {
    const acme = await company();
    const bob = await domains.person("bob", acme.domain);
    const at = account(bob.email);
    expect(ended((await signInWith(acme, at)).answer)).toEqual([409, "identity_link_required"]);
    // Neither does their own linking make the provider theirs.
    const linking = await visit(bob.client, acme.start.replace("/start", "/link/start"), at);
    expect(ended(linking)).toEqual([403, "membership_required"]);
    await acme.owner.client.request("PATCH", of(acme.id, "domains", acme.domainId), { join: "auto" });
    const { client, answer } = await signInWith(acme, at);
    expect(ended(answer)).toBe("/");
    expect(await idsOf(client)).toEqual([acme.id]);
    expect(await emailOf(client)).toBe(bob.email);
  });

  test("Z-30 links the provider itself where it is in several organizations", async () => {
    const acme = await company();
    const bob = await employee(acme);
    await kit.create(bob);
    const at = account(bob.email);
    expect(ended(await visit(bob.client, acme.start.replace("/start", "/link/start"), at))).toBe("/");
    expect(await emailOf((await signInWith(acme, at)).client)).toBe(bob.email);
    const listed = (await bob.client.get(auth("identities"))).at("identities");
    const name = (await bob.client.get(of(acme.id))).textAt("organization.name");
    expect(listed).toMatchObject([{ provider: `org-${acme.id}`, label: name }]);
    const unlabelled = [{ provider: `org-${acme.id}`, label: null }];
    await acme.owner.client.post(of(acme.id, "members", bob.id, "remove"));
    expect((await bob.client.get(auth("identities"))).at("identities")).toMatchObject(unlabelled);
    await kit.join(acme.owner, acme.id, bob);
    expect((await bob.client.get(auth("identities"))).textAt("identities.0.label")).toBe(name);
    await acme.owner.client.request("DELETE", of(acme.id, "provider"));
    expect((await bob.client.get(auth("identities"))).at("identities")).toMatchObject(unlabelled);
  });
});

describe("what the provider of an organization says", () => {
  test("Z-31 opens no account of another organization, nor of who has left, or has another address by now", async () => {
    const [acme, evil] = [await company(), await company()];
    const [bob, eve, dan] = [await employee(acme), await employee(acme, "eve"), await employee(acme, "dan")];
    // The owners of another organization choose what their provider says.
    expect(ended((await signInWith(evil, account(bob.email))).answer)).toEqual([400, "domain_not_allowed"]);
    expect(identities(bob)).toBe(0);
    const [atEve, atDan] = [account(eve.email), account(dan.email)];
    for (const at of [atEve, atDan]) expect((await signInWith(acme, at)).answer.status).toBe(303);
    await acme.owner.client.post(of(acme.id, "members", eve.id, "remove"));
    expect(ended((await signInWith(acme, atEve)).answer)).toEqual([403, "membership_required"]);
    rows.run("update users set email = ?, email_key = ? where id = ?", "dan@home.test", "dan@home.test", dan.id);
    expect(ended((await signInWith(acme, atDan)).answer)).toEqual([403, "membership_required"]);
  });

  test("Z-31 about an address counts where it says nothing of its proof, and not where it says that there is none", async () => {
    const acme = await company();
    const bob = await employee(acme);
    // Somebody else at the same provider has typed the address there.
    const doubted = account(bob.email, { emailVerified: false });
    expect(ended((await signInWith(acme, doubted)).answer)).toEqual([403, "email_not_verified"]);
    const newcomer = account(`new@${acme.domain}`, { emailVerified: false });
    expect(ended((await signInWith(acme, newcomer)).answer)).toEqual([403, "email_not_verified"]);
    expect(identities(bob)).toBe(0);
    provider.tamper((claims) => ({ ...claims, email_verified: undefined }));
    expect(ended((await signInWith(acme, account(bob.email))).answer)).toBe("/");
    provider.tamper(undefined);
  });

  test("Z-31 about a subject of its own counts for that issuer alone", async () => {
    const acme = await company();
    const bob = account(`bob@${acme.domain}`);
    const { client } = await signInWith(acme, bob);
    const other = await company();
    expect(ended((await signInWith(other, bob)).answer)).toEqual([400, "domain_not_allowed"]);
    expect(await emailOf(client)).toBe(`bob@${acme.domain}`);
  });

  test("Z-31 signs in with the person's own second factor still to come", async () => {
    const acme = await company();
    const bob = await employee(acme);
    const { giveAuthenticator } = await import("../../support/factor.ts");
    const app = giveAuthenticator(rows, bob);
    const { client, answer } = await signInWith(acme, account(bob.email));
    const challenge = new URL(String(ended(answer)), "http://x").searchParams.get("challenge");
    expect((await client.get(auth("me"))).status).toBe(401);
    const verified = await client.post(auth("login/verify"), { challenge, method: "totp", code: app.code() });
    expect(verified.status).toBe(200);
    // The sign-ins by the providers of all organizations are counted as one way.
    expect(
      rows.all("select reason from audit_events where action = 'auth.logged-in' and subject_user_id = ?", bob.id),
    ).toEqual([{ reason: "organization" }]);
  });

  test("Z-28 counts no more in the moment in which the domain is lost", async () => {
    const acme = await company();
    const bob = account(`bob@${acme.domain}`);
    const { client } = await signInWith(acme, bob);
    rows.run("update organization_domains set verified_at = null where id = ?", acme.domainId);
    expect(ended((await signInWith(acme, bob)).answer)).toEqual([404, "not_found"]);
    // Who is signed in stays so, and gets a password by mail.
    expect(await emailOf(client)).toBe(`bob@${acme.domain}`);
    await browser().post(auth("password-reset/request"), { login: `bob@${acme.domain}` });
    const token = await mailedToken(mailbox, `bob@${acme.domain}`, "Choose your first password");
    const chosen = await browser().post(auth("password-reset/confirm"), {
      token,
      new_password: "a long walk by the sea",
    });
    expect(chosen.status).toBe(200);
  });

  test("Z-30 the last way to sign in can't be unlinked, while the provider is one", async () => {
    const acme = await company();
    const bob = account(`bob@${acme.domain}`);
    const { client } = await signInWith(acme, bob);
    const [identity] = [(await client.get(auth("identities"))).textAt("identities.0.id")];
    expect((await client.post(auth(`identities/${identity}/unlink`))).at("code")).toBe("last_auth_method");
    expect((await setProvider(acme.owner, acme.id)).status).toBe(200);
    expect(await people.register("carol")).toBeObject();
  });
});

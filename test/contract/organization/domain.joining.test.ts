import { describe, expect, test } from "bun:test";
import { auth, mailedToken, type Person } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";
import { domainKit, freshDomain, nameServerOfFile } from "./domain.fixture.ts";
import { of, organizationKit, organizations } from "./organization.fixture.ts";

const { names, env } = await nameServerOfFile();
const staged = await stage({ env: { ...env, ORGANIZATIONS_MAX_MEMBERS: "3" } });
const { mailbox, people, rows } = staged;
const kit = organizationKit(staged);
const { claim, person, prove } = domainKit(staged, names);

const inOrganizations = async ({ client }: Person): Promise<unknown> => {
  const listed = (await client.get(organizations)).at("organizations");
  return Array.isArray(listed) ? listed.map((each: { id: string }) => each.id) : listed;
};
const joinable = async ({ client }: Person): Promise<unknown> => (await client.get(organizations)).at("joinable");
const join = ({ client }: Person, id: string) => client.post(of(id, "join"));
const loginOf = ({ email }: Person): object => ({ login: email });
async function company(mode: string, domain = freshDomain()) {
  const owner = await people.register("ada");
  const id = await kit.create(owner);
  const { id: claimed } = await prove(owner, id, domain, mode);
  return { owner, id, domain, claimed };
}

describe("with `auto`", () => {
  test("Z-25 whoever proves an address below the domain is a member, and not before", async () => {
    const { id, domain } = await company("auto");
    const bob = await person("bob", domain, false);
    expect(await inOrganizations(bob)).toEqual([]);
    await bob.login();
    expect(await inOrganizations(bob)).toEqual([]);
    expect(await joinable(bob)).toEqual([]);
    const token = await mailedToken(mailbox, bob.email, "Verify your email");
    await bob.client.post(auth("email-verification/confirm"), { token });
    expect(await inOrganizations(bob)).toEqual([id]);
    expect((await bob.client.get(of(id))).at("organization.roles")).toEqual(["member"]);
    const told = rows.get(
      "select reason, actor from audit_events where action = 'organization.member-added' and subject_user_id = ?",
      bob.id,
    );
    expect(told).toEqual({ reason: "member", actor: "user" });
  });

  test("Z-25 whoever has an account already is a member from the next sign-in", async () => {
    const domain = freshDomain();
    const bob = await person("bob", domain);
    const { id } = await company("auto", domain);
    expect(await inOrganizations(bob)).toEqual([]);
    await bob.login();
    expect(await inOrganizations(bob)).toEqual([id]);
  });

  test("Z-25 an address that is moved below the domain counts once its mailbox has confirmed it", async () => {
    const { id, domain } = await company("auto");
    const mallory = await people.register("mallory");
    const email = `mallory@${domain}`;
    expect((await mallory.client.post(auth("profile"), { email, current_password: mallory.password })).status).toBe(
      200,
    );
    await mallory.login();
    expect(await inOrganizations(mallory)).toEqual([]);
    const token = await mailedToken(mailbox, email, "Verify your email");
    expect((await mallory.client.post(auth("email-verification/confirm"), { token })).status).toBe(200);
    expect(await inOrganizations(mallory)).toEqual([id]);
  });

  test("Z-25 a domain that looks alike, lies above or below, or begins or ends like it is another one", async () => {
    const { domain } = await company("auto");
    const others = [
      `evil-${domain}`,
      `evil${domain}`,
      `${domain}.evil.test`,
      `sub.${domain}`,
      domain.replace("acme", "аcme"),
      domain.replace("acme", "acmе"),
      domain.replace("test", "test1"),
    ];
    for (const other of others) {
      const bob = await people.register("bob", { email: `bob@${other}` });
      rows.prove(bob);
      await bob.login(loginOf(bob));
      expect([other, await inOrganizations(bob), await joinable(bob)]).toEqual([other, [], []]);
    }
  });

  test("Z-25 a claim that nobody has proven lets nobody in", async () => {
    const owner = await people.register("ada");
    const id = await kit.create(owner);
    const domain = freshDomain();
    const { id: claimed } = await claim(owner, id, domain);
    expect((await owner.client.request("PATCH", of(id, "domains", claimed), { join: "auto" })).status).toBe(200);
    expect(await inOrganizations(await person("bob", domain))).toEqual([]);
  });

  test("Z-25 whoever was removed or has left stays out, and comes back by an invitation, or having left, by joining", async () => {
    const { owner, id, domain } = await company("auto");
    const [removed, left] = [await person("bob", domain), await person("eve", domain)];
    await owner.client.post(of(id, "members", removed.id, "remove"));
    await left.client.post(of(id, "leave"));
    for (const each of [removed, left]) {
      await each.login();
      expect(await inOrganizations(each)).toEqual([]);
    }
    expect(await joinable(removed)).toEqual([]);
    expect((await join(removed, id)).at("code")).toBe("organization_not_found");
    expect(await joinable(left)).toMatchObject([{ id }]);
    expect((await join(left, id)).status).toBe(200);
    await kit.join(owner, id, removed);
    expect(await inOrganizations(removed)).toEqual([id]);
  });

  test("Z-25 without room everybody signs in all the same", async () => {
    const { id, domain } = await company("auto");
    const [, , dan] = [await person("bob", domain), await person("eve", domain), await person("dan", domain)];
    await dan.login();
    expect(await inOrganizations(dan)).toEqual([]);
    expect(rows.get("select members from organizations where id = ?", id)).toEqual({ members: 3 });
    expect((await join(dan, id)).at("code")).toBe("limit_reached");
  });
});

describe("with `invite` and `none`", () => {
  test("Z-25 people are offered the organization, and join it if they want", async () => {
    const { id, domain } = await company("invite");
    const [bob, eve] = [await person("bob", domain), await person("eve", domain, false)];
    expect(await inOrganizations(bob)).toEqual([]);
    expect(await joinable(bob)).toEqual([{ id, slug: expect.any(String), name: "Acme Inc" }]);
    expect(await joinable(eve)).toEqual([]);
    expect((await join(eve, id)).at("code")).toBe("organization_not_found");
    const joined = await join(bob, id);
    expect(joined.at("organization")).toMatchObject({ id, roles: ["member"], members: 2 });
    expect(await joinable(bob)).toEqual([]);
    expect((await join(bob, id)).at("code")).toBe("member_exists");
  });

  test("Z-25 nobody joins where nothing says so, nor once the domain is given up", async () => {
    const { owner, id, domain, claimed } = await company("none");
    const bob = await person("bob", domain);
    const isClosed = async (): Promise<void> => {
      await bob.login();
      expect([await inOrganizations(bob), await joinable(bob)]).toEqual([[], []]);
      expect((await join(bob, id)).at("code")).toBe("organization_not_found");
    };
    await isClosed();
    await owner.client.request("PATCH", of(id, "domains", claimed), { join: "invite" });
    expect(await joinable(bob)).toMatchObject([{ id }]);
    await owner.client.request("DELETE", of(id, "domains", claimed));
    await isClosed();
  });
});

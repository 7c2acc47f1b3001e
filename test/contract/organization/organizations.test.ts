import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { clientIn } from "../../support/client.library.ts";
import { stage } from "../../support/stage.ts";
import { of, organizationKit, organizations, organizationsOn } from "./organization.fixture.ts";

const staged = await stage({ env: { ...organizationsOn, AUTH_TOKEN_CLAIMS: "org" } });
const { target, people, rows } = staged;
const kit = organizationKit(staged);
const nobody = "01980000-0000-7000-8000-000000000000";

const refused = async (answer: Promise<{ status: number; at(path: string): unknown }>) => {
  const { status, at } = await answer;
  return [status, at("code")];
};
const rolesOf = async (viewer: Person, id: string, person: Person): Promise<unknown> => {
  const listed = await clientIn(viewer.client).listMembers(id);
  return listed.ok ? listed.members.find(({ user }) => user.id === person.id)?.roles : listed.code;
};
const setRoles = (actor: Person, id: string, person: Person, roles: readonly string[]) =>
  actor.client.post(of(id, "members", person.id, "roles"), { roles });
const remove = (actor: Person, id: string, person: Person) => actor.client.post(of(id, "members", person.id, "remove"));

describe("an organization", () => {
  test("Z-01 is made by somebody who owns it then, with a slug of its name, and is listed with what they are in it", async () => {
    const ada = await people.register("ada");
    const made = await ada.client.post(organizations, { name: "Büro & Söhne" });
    expect(made.status).toBe(200);
    expect(made.at("organization")).toMatchObject({
      slug: "buro-sohne",
      name: "Büro & Söhne",
      metadata: {},
      members: 1,
      roles: ["owner"],
      active: false,
    });
    const id = made.textAt("organization.id");
    expect((await ada.client.get(organizations)).at("organizations")).toEqual([made.at("organization")]);
    expect((await ada.client.get(of(id))).at("organization")).toEqual(made.at("organization"));
    const second = await ada.client.post(organizations, { name: "Büro & Söhne" });
    expect(second.textAt("organization.slug")).toMatch(/^buro-sohne-[0-9a-f]{6}$/);
  });

  test("Z-02 has a slug that nobody else has, that looks like no other one, and like no page", async () => {
    const ada = await people.register("ada");
    const create = (slug: string) => refused(ada.client.post(organizations, { name: "Acme", slug }));
    expect(await create("milk-bar")).toEqual([200, undefined]);
    for (const slug of ["milk-bar", "mllk-bar", "m1lk-bar"]) expect(await create(slug)).toEqual([409, "slug_taken"]);
    for (const slug of [
      "a",
      "Acme",
      "a--b",
      "-a",
      "a-",
      "a_b",
      "äcme",
      "switch",
      "api",
      "admin",
      "x".repeat(49),
      nobody,
    ])
      expect(await create(slug)).toEqual([400, "invalid_payload"]);
  });

  test("Z-03 is changed by owners and admins, its slug by owners alone, and members read it", async () => {
    const { id, owner, admin, member } = await kit.team();
    expect(await refused(member.client.request("PATCH", of(id), { name: "Other" }))).toEqual([403, "forbidden"]);
    expect(await refused(admin.client.request("PATCH", of(id), { slug: `acme-${id.slice(-6)}` }))).toEqual([
      403,
      "forbidden",
    ]);
    const changed = await admin.client.request("PATCH", of(id), { name: "Acme Limited", metadata: { plan: "pro" } });
    expect(changed.at("organization")).toMatchObject({
      name: "Acme Limited",
      metadata: { plan: "pro" },
      roles: ["admin"],
    });
    const more = await owner.client.request("PATCH", of(id), { slug: `acme-${id.slice(-6)}`, metadata: { seats: 5 } });
    expect(more.at("organization")).toMatchObject({
      slug: `acme-${id.slice(-6)}`,
      metadata: { plan: "pro", seats: 5 },
    });
    expect((await member.client.get(of(id))).at("organization")).toMatchObject({
      name: "Acme Limited",
      roles: ["member"],
    });
  });

  test("Z-04 is, for everybody who is not in it, the same 404 as one that is not there", async () => {
    const { id, member } = await kit.team();
    const stranger = await people.register("mallory");
    const calls = (to: string) => [
      stranger.client.get(of(to)),
      stranger.client.request("PATCH", of(to), { name: "x" }),
      stranger.client.request("DELETE", of(to)),
      stranger.client.get(of(to, "members")),
      stranger.client.post(of(to, "members", member.id, "roles"), { roles: ["owner"] }),
      stranger.client.post(of(to, "members", member.id, "remove")),
      stranger.client.get(of(to, "invitations")),
      stranger.client.post(of(to, "invitations"), { email: "x@example.test" }),
      stranger.client.post(of(to, "invitations", nobody, "withdraw")),
      stranger.client.post(of(to, "leave")),
      stranger.client.post(`${organizations}/switch`, { id: to }),
    ];
    const [real, unreal] = [await Promise.all(calls(id)), await Promise.all(calls(nobody))];
    for (const [index, answer] of real.entries()) {
      expect([answer.status, answer.at("code")]).toEqual([404, "organization_not_found"]);
      expect(answer.at("error")).toBe(unreal[index]?.at("error"));
    }
    expectRefusal(await createClient(target.url).get(organizations), 401, "unauthorized", "unauthorized");
  });

  test("Z-05 is deleted by an owner, with everything in it", async () => {
    const { id, owner, admin } = await kit.team();
    await owner.client.post(of(id, "invitations"), { email: "waiting@example.test" });
    expect(await refused(admin.client.request("DELETE", of(id)))).toEqual([403, "forbidden"]);
    expect((await owner.client.request("DELETE", of(id))).status).toBe(200);
    expect(await refused(owner.client.get(of(id)))).toEqual([404, "organization_not_found"]);
    expect(rows.count("organization_members where organization_id = ?", id)).toBe(0);
    expect(rows.count("auth_invitations where organization_id = ?", id)).toBe(0);
  });
});

describe("members", () => {
  test("Z-06 get roles from owners and admins; owners alone make owners, and change what owners are", async () => {
    const { id, owner, admin, member } = await kit.team();
    expect((await setRoles(admin, id, member, ["billing", "member"])).status).toBe(200);
    expect(await rolesOf(member, id, member)).toEqual(["billing", "member"]);
    expect(await refused(setRoles(admin, id, member, ["owner"]))).toEqual([403, "forbidden"]);
    expect(await refused(setRoles(admin, id, owner, ["member"]))).toEqual([403, "forbidden"]);
    expect(await refused(remove(admin, id, owner))).toEqual([403, "forbidden"]);
    expect(await refused(setRoles(member, id, member, ["admin"]))).toEqual([403, "forbidden"]);
    expect((await setRoles(owner, id, member, ["owner"])).status).toBe(200);
    expect((await setRoles(member, id, owner, ["admin"])).status).toBe(200);
    expect(await rolesOf(admin, id, owner)).toEqual(["admin"]);
    for (const roles of [[], ["Admin"], ["a b"]])
      expect(await refused(setRoles(member, id, admin, roles))).toEqual([400, "invalid_payload"]);
  });

  test("Z-07 the last owner stays: no leaving, no removal, no other role and no deletion of the account", async () => {
    const { id, owner, member } = await kit.team();
    expect(await refused(owner.client.post(of(id, "leave")))).toEqual([409, "last_owner"]);
    expect(await refused(remove(owner, id, owner))).toEqual([409, "last_owner"]);
    expect(await refused(setRoles(owner, id, owner, ["admin"]))).toEqual([409, "last_owner"]);
    expect(await refused(owner.client.post(auth("account/delete"), { current_password: owner.password }))).toEqual([
      409,
      "last_owner",
    ]);
    await setRoles(owner, id, member, ["owner"]);
    expect((await owner.client.post(auth("account/delete"), { current_password: owner.password })).status).toBe(200);
    expect((await member.client.get(of(id))).at("organization")).toMatchObject({ members: 2 });
    expect(await refused(member.client.post(of(id, "leave")))).toEqual([409, "last_owner"]);
  });

  test("Z-07 of two owners who go at the same moment one stays", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, owner, admin } = await kit.team();
      await setRoles(owner, id, admin, ["owner"]);
      const go = [
        () => Promise.all([owner.client.post(of(id, "leave")), admin.client.post(of(id, "leave"))]),
        () => Promise.all([setRoles(owner, id, owner, ["member"]), setRoles(admin, id, admin, ["member"])]),
        () => Promise.all([remove(owner, id, admin), remove(admin, id, owner)]),
      ];
      await go[round % 3]?.();
      expect(rows.count("organization_members where organization_id = ? and rank = 2", id)).toBe(1);
      expect(rows.get("select owners from organizations where id = ?", id)).toMatchObject({ owners: 1 });
    }
  });

  test("Z-08 whoever is removed, leaves or loses a role has no right left at the next request", async () => {
    const { id, owner, admin, member } = await kit.team();
    await setRoles(owner, id, admin, ["member"]);
    expect(await refused(admin.client.get(of(id, "invitations")))).toEqual([403, "forbidden"]);
    await remove(owner, id, admin);
    expect(await refused(admin.client.get(of(id, "members")))).toEqual([404, "organization_not_found"]);
    expect((await member.client.post(of(id, "leave"))).status).toBe(200);
    expect(await refused(member.client.get(of(id)))).toEqual([404, "organization_not_found"]);
    expect((await owner.client.get(of(id))).at("organization.members")).toBe(1);
  });
});

describe("the active organization", () => {
  const verify = (person: Person, query = "") => person.client.get(auth(`verify${query}`));

  test("Z-09 is one's own: asking for another leaves the session with the one that it had", async () => {
    const [one, other] = [await kit.team(), await kit.team()];
    expect((await one.owner.client.post(`${organizations}/switch`, { id: one.id })).status).toBe(200);
    const refused = await one.owner.client.post(`${organizations}/switch`, { id: other.id });
    expect([refused.status, refused.at("code")]).toEqual([404, "organization_not_found"]);
    const acting = "select distinct organization_id from auth_sessions where user_id = ?";
    expect(rows.all(acting, one.owner.id)).toEqual([{ organization_id: one.id }]);
  });

  test("Z-09 is in verify at once and in the next token, and ends with the membership", async () => {
    const { id, owner, member } = await kit.team();
    expect((await verify(member)).headers.get("x-auth-org-id")).toBe("");
    expect((await member.client.post(`${organizations}/switch`, { id })).at("organization")).toMatchObject({
      id,
      active: true,
    });
    const told = await verify(member);
    expect(["id", "slug", "roles"].map((name) => told.headers.get(`x-auth-org-${name}`))).toEqual([
      id,
      (await member.client.get(of(id))).textAt("organization.slug"),
      "member",
    ]);
    expect((await verify(member, `?org=${id}&org_role=member`)).status).toBe(204);
    expect((await verify(member, `?org=${id}&org_role=admin`)).status).toBe(403);
    expect((await verify(member, `?org=${nobody}`)).status).toBe(403);
    await member.client.post(auth("refresh"));
    const claims = Buffer.from(told.headers.get("x-auth-claims") ?? "", "base64url").toString();
    expect(JSON.parse(claims)).toMatchObject({ org_id: id, org_roles: ["member"] });
    await remove(owner, id, member);
    expect((await verify(member)).headers.get("x-auth-org-id")).toBe("");
    expect((await verify(member, `?org=${id}`)).status).toBe(403);
    await member.client.post(`${organizations}/switch`, { id: null });
  });
});

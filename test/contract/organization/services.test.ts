import { expect, test } from "bun:test";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { of, organizationKit, organizations, organizationsOn } from "./organization.fixture.ts";

const staged = await stage({ env: { ...organizationsOn, ORGANIZATIONS_CREATION: "staff" } });
const { target, people, rows } = staged;
const kit = organizationKit(staged);
const path = "/api/v1/organizations";
const nobody = "01980000-0000-7000-8000-000000000000";

async function backend(name: string, scope: string) {
  const authorization = `Bearer ${await serviceKit(target).create(name, scope)}`;
  return (method: string, rest = "", body?: object) =>
    createClient(target.url).request(method, `${path}${rest}`, body, { headers: { authorization } });
}

test("Z-14 services with the scope make organizations, put people in and take them out, with the last owner kept", async () => {
  const call = await backend("crm", "organizations:read,organizations:write");
  const [ada, grace] = [await people.register("ada"), await people.register("grace")];
  expect((await ada.client.post(organizations, { name: "Own" })).at("code")).toBe("forbidden");
  const made = await call("POST", "", { name: "Acme Inc", slug: "acme-of-crm", owner: ada.id });
  expect(made.at("organization")).toMatchObject({ name: "Acme Inc", slug: "acme-of-crm", members: 1 });
  const id = made.textAt("organization.id");
  expect((await call("POST", "", { name: "X", owner: nobody })).at("code")).toBe("not_found");
  const added = await call("POST", `/${id}/members`, { user: grace.id, roles: ["billing"] });
  expect(added.at("member")).toMatchObject({ user: { id: grace.id }, roles: ["billing"] });
  expect((await call("POST", `/${id}/members`, { user: grace.id })).at("code")).toBe("member_exists");
  expect((await call("POST", `/${id}/members`, { user: nobody })).at("code")).toBe("not_found");
  expect((await grace.client.get(of(id))).at("organization.roles")).toEqual(["billing"]);
  expect((await call("POST", `/${id}/members/${ada.id}/remove`)).at("code")).toBe("last_owner");
  expect((await call("POST", `/${id}/members/${grace.id}/roles`, { roles: ["owner"] })).status).toBe(200);
  expect((await call("POST", `/${id}/members/${ada.id}/remove`)).status).toBe(200);
  expect((await call("GET", `/${id}/members`)).at("members")).toMatchObject([
    { user: { id: grace.id }, roles: ["owner"] },
  ]);
  const changed = await call("PATCH", `/${id}`, { metadata: { plan: "pro" } });
  expect(changed.at("organization.metadata")).toEqual({ plan: "pro" });
  expect((await call("PATCH", `/${id}`, { owner: ada.id })).at("code")).toBe("invalid_payload");
  const audited = rows.all(
    "select action, actor, service from audit_events where organization_id = ? order by at, id",
    id,
  );
  expect(audited.every(({ actor, service }) => actor === "service" && service === "crm")).toBe(true);
  expect(audited.map(({ action }) => action)).toEqual([
    "organization.created",
    "organization.member-added",
    "organization.member-added",
    "organization.roles-changed",
    "organization.member-removed",
    "organization.updated",
  ]);
  const invited = await call("POST", `/${id}/invitations`, { email: ada.email, roles: ["owner"] });
  expect(invited.at("invitation")).toMatchObject({ roles: ["owner"], invited_by: null });
  expect((await kit.accept(ada.client, await kit.invitationOf(ada.email))).status).toBe(200);
  expect((await ada.client.get(of(id))).at("organization.roles")).toEqual(["owner"]);
  expect((await call("DELETE", `/${id}`)).status).toBe(200);
  expect((await call("GET", `/${id}`)).at("code")).toBe("organization_not_found");
});

test("Z-14 services without the scope do nothing, and one that reads writes nothing", async () => {
  const [reader, other] = [
    await backend("reader", "organizations:read"),
    await backend("other", "users:read,users:write"),
  ];
  const ada = await people.register("ada");
  const writer = await backend("writer", "organizations:write");
  const id = (await writer("POST", "", { name: "Acme", owner: ada.id })).textAt("organization.id");
  for (const call of [other, writer]) expect((await call("GET", `/${id}`)).at("code")).toBe("forbidden");
  for (const call of [other, reader])
    for (const [method, rest, body] of [
      ["POST", "", { name: "X", owner: ada.id }],
      ["PATCH", `/${id}`, { name: "X" }],
      ["DELETE", `/${id}`, undefined],
      ["POST", `/${id}/members`, { user: ada.id }],
      ["POST", `/${id}/invitations`, { email: "x@example.test" }],
    ] as const)
      expect((await call(method, rest, body)).at("code")).toBe("forbidden");
  expect((await reader("GET", `/${id}`)).at("organization.name")).toBe("Acme");
  expect((await createClient(target.url).get(path)).status).toBe(401);
});

test("Z-15 lists come in pages of at most 200, each beginning where the one before has ended", async () => {
  const call = await backend("lister", "organizations:read,organizations:write");
  const owner = await people.register("owner");
  const id = (await call("POST", "", { name: "Large", owner: owner.id })).textAt("organization.id");
  const members = [owner.id];
  for (let count = 0; count < 5; count += 1) {
    const { id: user } = await people.register("worker");
    await call("POST", `/${id}/members`, { user });
    members.push(user);
  }
  const found: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await call("GET", `/${id}/members?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
    const list: unknown = page.at("members");
    if (!Array.isArray(list)) throw new Error(page.text);
    expect(list.length).toBeLessThanOrEqual(2);
    found.push(...list.map((each: { user: { id: string } }) => each.user.id));
    cursor = page.at("next") === null ? null : page.textAt("next");
  }
  expect(found).toEqual(members.toSorted());
  for (const query of ["limit=0", "limit=201", "limit=x", "cursor=x", "other=1"])
    expect((await call("GET", `?${query}`)).at("code")).toBe("invalid_payload");
  const all = await call("GET", "?limit=1");
  expect(all.at("organizations.0.id")).toBeString();
});

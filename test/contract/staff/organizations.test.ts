import { describe, expect, test } from "bun:test";
import type { Answer } from "../../support/client.ts";
import { hiddenFields, textOf, titleOf, type Fields } from "../../support/staff.ts";
import { createPageVisitor } from "../../support/staff.ts";
import { startTarget } from "../../support/target.ts";
import { organizationKit, organizationsOn } from "../organization/organization.fixture.ts";
import { openDesk } from "./desk.fixture.ts";

const opened = await openDesk(organizationsOn);
const { app, rows, people, staff } = opened;
const kit = organizationKit(opened);
const { person: grace, desk } = await staff("grace");
const nobody = "01980000-0000-7000-8000-000000000000";

/** Sends the form of an act on an organization, and loads the page that it leads to. */
async function act(id: string, name: string, fields: Fields = {}): Promise<Answer> {
  const { csrf = "" } = hiddenFields((await desk.get(`/organizations/${id}`)).text, "/logout");
  const answer = await desk.send(`/organizations/${id}/${name}`, { csrf, ...fields });
  const leadsTo = answer.headers.get("location");
  return leadsTo === null ? answer : desk.get(leadsTo);
}
const rolesOf = (id: string, userId: string): unknown =>
  rows.all("select roles from organization_members where organization_id = ? and user_id = ?", id, userId)[0]?.[
    "roles"
  ];
const lastRow = (id: string) =>
  rows.all("select * from audit_events where organization_id = ? order by at, id", id).at(-1);

describe("organizations", () => {
  test("are found by the beginning of a name or slug, and one has its members, invitations and what happened", async () => {
    const { id, owner, member } = await kit.team("Quartz & Söhne");
    await owner.client.post(`/api/v1/auth/organizations/${id}/invitations`, { email: "waiting@example.test" });
    for (const search of ["quartz", "QUARTZ-S", id]) {
      const { text } = await desk.get(`/organizations?search=${encodeURIComponent(search)}`);
      expect(text).toContain(`href="/organizations/${id}"`);
    }
    expect(textOf(await desk.get("/organizations?search=nothing"))).toContain("No organization has a name or a slug");
    const page = await desk.get(`/organizations/${id}`);
    expect(titleOf(page)).toContain("Quartz &amp; Söhne".replace("&amp;", "&"));
    for (const words of [
      owner.email,
      member.email,
      "waiting@example.test",
      "Organization made",
      "Joined an organization",
    ])
      expect(textOf(page)).toContain(words);
    const person = await desk.get(`/people/${member.id}`);
    expect(person.text).toContain(`href="/organizations/${id}"`);
    expect((await desk.get("/organizations/quartz-sohne")).headers.get("location")).toBe(`/organizations/${id}`);
    expect((await desk.get(`/organizations/${nobody}`)).status).toBe(404);
    expect((await desk.get("/organizations/nothing")).status).toBe(404);
  });

  test("Z-66 each act is made as services make it, and is in the audit log with who did it and the organization", async () => {
    const [ada, edith] = [await people.register("ada"), await people.register("edith")];
    const { csrf = "" } = hiddenFields((await desk.get("/organizations/new")).text, "/logout");
    const made = await desk.send("/organizations/new", {
      csrf,
      name: "Made Here",
      owner: ada.email,
      slug: "made-here",
    });
    const id = String(made.headers.get("location")).replace("/organizations/", "");
    const by = { actor: "staff", actor_user_id: grace.id, app: "admin", organization_id: id };
    expect(lastRow(id)).toMatchObject({ ...by, action: "organization.member-added", subject_user_id: ada.id });
    const acts: (readonly [act: string, fields: Fields, action: string, says: string])[] = [
      [
        "add-member",
        { login: edith.email, roles: "billing, member" },
        "organization.member-added",
        "as billing, member.",
      ],
      ["roles", { user: edith.id, roles: "admin" }, "organization.roles-changed", "is admin now"],
      ["remove-member", { user: edith.id }, "organization.member-removed", "is no longer in Made Here."],
    ];
    for (const [name, fields, action, says] of acts) {
      expect([name, textOf(await act(id, name, fields))]).toEqual([name, expect.stringContaining(says)]);
      expect(lastRow(id)).toMatchObject({ ...by, action, subject_user_id: edith.id, address: "127.0.0.1" });
    }
    await ada.client.post(`/api/v1/auth/organizations/${id}/invitations`, { email: "waits@example.test" });
    const { id: invitation } = rows.get("select id from auth_invitations where organization_id = ?", id);
    expect(textOf(await act(id, "withdraw", { invitation: String(invitation) }))).toContain("is withdrawn");
    expect(lastRow(id)).toMatchObject({ ...by, action: "auth.invitation-withdrawn" });
    const wrong = await act(id, "delete", { slug: "made-her" });
    expect(wrong.status).toBe(400);
    expect(textOf(wrong)).toContain("This is not the slug of the organization, which is made-here.");
    expect(textOf(await act(id, "delete", { slug: "made-here" }))).toContain("Made Here is deleted.");
    expect(lastRow(id)).toMatchObject({ ...by, action: "organization.deleted" });
  });

  test("Z-67 one whose owners are all disabled is shown as without an active owner, and staff give it one", async () => {
    const { id, owner, member } = await kit.team("Orphaned");
    expect(textOf(await desk.get(`/organizations/${id}`))).not.toContain("Nobody can act as an owner");
    rows.run("update users set active = 0 where id = ?", owner.id);
    expect(textOf(await desk.get("/organizations?search=orphaned"))).toContain("no active owner");
    expect(textOf(await desk.get(`/organizations/${id}`))).toContain("Nobody can act as an owner");
    const gone = await act(id, "owner", { login: owner.email });
    expect([gone.status, textOf(gone)]).toEqual([
      403,
      expect.stringContaining("This account is disabled: enable it first."),
    ]);
    const unknown = await act(id, "owner", { login: "nobody-there" });
    expect([unknown.status, textOf(unknown)]).toEqual([
      404,
      expect.stringContaining("Nobody has this name, address or id."),
    ]);
    const given = textOf(await act(id, "owner", { login: member.email }));
    expect(given).toContain("is member, owner now");
    expect(given).not.toContain("Nobody can act as an owner");
    expect(rolesOf(id, member.id)).toBe("member owner");
    rows.run("update users set active = 0 where id = ?", member.id);
    const newcomer = await people.register("mary");
    expect(textOf(await act(id, "owner", { login: newcomer.id }))).toContain("now, as owner.");
    expect(rolesOf(id, newcomer.id)).toBe("owner");
    expect(rows.get("select members, owners from organizations where id = ?", id)).toEqual({ members: 4, owners: 3 });
  });

  test("keep their last owner, and what is wrong with a form is said at its field", async () => {
    const { id, owner, member } = await kit.team("Kept");
    const refused = async (name: string, fields: Fields) => {
      const answer = await act(id, name, fields);
      return [answer.status, textOf(answer)];
    };
    const keeps = expect.stringContaining("an organization has to keep an owner");
    expect(await refused("remove-member", { user: owner.id })).toEqual([409, keeps]);
    expect(await refused("roles", { user: owner.id, roles: "admin" })).toEqual([409, keeps]);
    const already = expect.stringContaining("This person is a member already");
    expect(await refused("add-member", { login: member.id, roles: "member" })).toEqual([409, already]);
    const noName = expect.stringContaining("must be names of a to z");
    expect(await refused("add-member", { login: grace.id, roles: "No_Role" })).toEqual([400, noName]);
    const { csrf = "" } = hiddenFields((await desk.get("/organizations/new")).text, "/logout");
    const taken = await desk.send("/organizations/new", { csrf, name: "Kept", owner: owner.id, slug: "kept" });
    expect([taken.status, textOf(taken)]).toEqual([409, expect.stringContaining("Another organization has this slug")]);
    const noOwner = await desk.send("/organizations/new", { csrf, name: "Kept", owner: "nobody-there", slug: "" });
    expect([noOwner.status, textOf(noOwner)]).toEqual([404, expect.stringContaining("Nobody has this name")]);
    const undone = await act(id, "add-member", { login: grace.id, roles: "support" });
    const undo = hiddenFields(undone.text, `/organizations/${id}/remove-member`);
    expect(undo["user"]).toBe(grace.id);
  });
});

describe("the audit log", () => {
  test("is searched by an organization's slug or id, names it, and has it in the file", async () => {
    const { id, owner } = await kit.team("Searched For");
    await owner.client.request("PATCH", `/api/v1/auth/organizations/${id}`, { name: "Searched For Long" });
    for (const named of ["searched-for", id]) {
      const page = await desk.get(`/audit?organization=${named}`);
      expect(textOf(page)).toContain("Organization changed");
      expect(page.text).toContain(`href="/organizations/${id}"`);
      expect(textOf(page)).not.toContain("Action auth.logged-in");
    }
    expect(textOf(await desk.get("/audit?organization=nothing-like-it"))).toContain("No organization has this slug.");
    const [head = "", ...lines] = (await desk.get("/audit.csv?organization=searched-for")).text.trim().split("\r\n");
    const at = head.split(",").indexOf('"organization_id"');
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.every((line) => line.includes(`"${id}"`))).toBe(true);
    expect(at).toBeGreaterThan(0);
    expect(rows.all("select reason from audit_events where action = 'audit.exported'").at(-1)).toEqual({
      reason: `organization ${id}`,
    });
  });
});

test("where people are in no organizations, there is no page of them, no link, and no field of the search", async () => {
  const env = { DB_DATABASE: app.databasePath };
  const admin = await startTarget({ app: "admin", shared: true, migrate: false, env });
  try {
    const visitor = createPageVisitor(admin.url);
    await visitor.submit("/login", { login: grace.email, password: grace.password });
    expect((await visitor.get("/organizations")).status).toBe(404);
    for (const path of ["/", "/people", `/people/${grace.id}`]) {
      const { status, text } = await visitor.get(path);
      expect([path, status, text.includes("/organizations")]).toEqual([path, 200, false]);
    }
    expect((await visitor.get("/audit")).text).not.toContain('name="organization"');
  } finally {
    await admin.stop();
  }
});

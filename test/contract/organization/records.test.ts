import { describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { of, organizationKit, organizations, organizationsOn } from "./organization.fixture.ts";

const staged = await stage({ env: organizationsOn });
const { rows } = staged;
const kit = organizationKit(staged);
const audit = readAudit(rows);
const path = auth("account/export");

describe("the audit log", () => {
  test("Z-68 says which member did it, and not that somebody did it to themselves", async () => {
    const { id, owner, admin, member } = await kit.team();
    await owner.client.request("PATCH", of(id), { name: "Acme Limited" });
    await owner.client.post(of(id, "members", member.id, "roles"), { roles: ["billing"] });
    await admin.client.post(of(id, "members", member.id, "remove"));
    await admin.client.post(of(id, "leave"));
    await owner.client.request("DELETE", of(id));
    const told = audit
      .all("organization_id = ? and action like 'organization.%'", id)
      .map(({ action, actor_user_id: by, subject_user_id: about }) => [action, by, about]);
    expect(told).toEqual([
      ["organization.created", owner.id, null],
      ["organization.member-added", owner.id, owner.id],
      ["organization.member-added", admin.id, admin.id],
      ["organization.member-added", member.id, member.id],
      ["organization.updated", owner.id, null],
      ["organization.roles-changed", owner.id, member.id],
      ["organization.member-removed", admin.id, member.id],
      ["organization.member-removed", admin.id, admin.id],
      ["organization.deleted", owner.id, null],
    ]);
  });
});

describe("the export of an account", () => {
  test("A-07 has the organizations of its person, the one that each session acts for, and invitations to them", async () => {
    const { id, owner, member } = await kit.team("Exported Inc");
    await member.client.post(`${organizations}/switch`, { id });
    const answer = await member.client.get(path);
    expect(answer.status).toBe(200);
    expect(answer.at("organizations")).toEqual([
      { id, slug: "exported-inc", name: "Exported Inc", roles: ["member"], joined_at: expect.any(String) },
    ]);
    expect(answer.at("sessions.0.organization_id")).toBe(id);
    expect(answer.at("invitations.0")).toMatchObject({
      organization_id: id,
      organization_roles: ["member"],
      roles: [],
    });
    expect(answer.at("events.0")).toMatchObject({ action: "organization.member-added", organization_id: id });
    await owner.client.post(of(id, "members", member.id, "remove"));
    const after = await member.client.get(path);
    expect(after.at("organizations")).toEqual([]);
    expect(after.at("sessions.0.organization_id")).toBeNull();
  });

  test("Z-69 does not show from where another member acted on its person", async () => {
    const { id, owner, member } = await kit.team();
    await owner.client.post(of(id, "members", member.id, "roles"), { roles: ["billing"] });
    rows.run(
      "insert into audit_events (id, at, app, action, outcome, actor, actor_user_id, subject_user_id, address, user_agent, count) values (?, 9999999999999, 'app', 'organization.roles-changed', 'success', 'user', ?, ?, '198.51.100.9', 'the owner', 1)",
      crypto.randomUUID(),
      owner.id,
      member.id,
    );
    const answer = await member.client.get(path);
    expect(answer.text).not.toContain("198.51.100.9");
    expect(answer.text).not.toContain("the owner");
    expect(answer.at("events.0")).toMatchObject({ actor: "user", ip_address: null, user_agent: null });
    expect(answer.at("events.1")).toMatchObject({ action: "organization.roles-changed", ip_address: null });
    expect(answer.at("events.2.ip_address")).toBe("127.0.0.1");
    expect(answer.text).not.toContain(owner.id);
  });
});

import { afterAll, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { isTopic, topics } from "../../../src/core/topics.ts";
import { eventually } from "../../support/log.ts";
import { startReceiver, webhookSecret } from "../../support/receiver.ts";
import { stage } from "../../support/stage.ts";
import { of, organizationKit, organizationsOn } from "../organization/organization.fixture.ts";

const secret = webhookSecret();
const ledger = startReceiver({ secret });
const staged = await stage({
  env: { ...organizationsOn, WEBHOOK_LEDGER_URL: ledger.url, WEBHOOK_LEDGER_SECRET: secret },
});
const kit = organizationKit(staged);
afterAll(() => ledger.stop());

test("Z-70 what becomes of an organization and its members is told, each once, with ids and roles alone", async () => {
  const { id, owner, admin, member } = await kit.team("Acme Inc");
  await owner.client.request("PATCH", of(id), { name: "Acme Limited", metadata: { plan: "pro" } });
  await owner.client.post(of(id, "members", member.id, "roles"), { roles: ["billing", "admin"] });
  await owner.client.post(of(id, "members", admin.id, "remove"));
  await owner.client.request("DELETE", of(id));
  const told = () =>
    ledger
      .received()
      .filter(({ type, data }) => type.startsWith("organization.") && data["organization_id"] === id)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await eventually("all messages", () => told().length >= 8);
  const organization_id = id;
  expect(told().map(({ type, data }) => [type.replace("organization.", ""), data])).toEqual([
    ["created", { organization_id }],
    ["member-added", { organization_id, user_id: owner.id, roles: ["owner"] }],
    ["member-added", { organization_id, user_id: admin.id, roles: ["admin"] }],
    ["member-added", { organization_id, user_id: member.id, roles: ["member"] }],
    ["updated", { organization_id, changed: ["name", "metadata"] }],
    ["roles-changed", { organization_id, user_id: member.id, roles: ["admin", "billing"] }],
    ["member-removed", { organization_id, user_id: admin.id }],
    ["deleted", { organization_id }],
  ]);
  for (const { type, data, body } of told()) {
    expect(isTopic(type) && Value.Check(topics[type], data)).toBe(true);
    for (const name of [owner.email, "Acme", "pro"]) expect(body).not.toContain(name);
  }
  const invited = ledger
    .received()
    .filter(({ type, data }) => type === "auth.user-invited" && data["organization_id"] === id);
  expect(invited).toHaveLength(2);
});

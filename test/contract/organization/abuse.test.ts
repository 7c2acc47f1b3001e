import { describe, expect, test } from "bun:test";
import { clientIn } from "../../support/client.library.ts";
import { createPeople } from "../../support/auth.ts";
import { startTarget } from "../../support/target.ts";
import { stage } from "../../support/stage.ts";
import { createClient } from "../../support/client.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { of, organizationKit, organizations, organizationsOn } from "./organization.fixture.ts";

const staged = await stage({ env: { ...organizationsOn, ORGANIZATIONS_INVITATIONS_PER_DAY: "3" } });
const { people, rows, target } = staged;
const kit = organizationKit(staged);

let guests = 0;
const guest = (): string => `stranger-${(guests += 1)}-${process.pid}@example.test`;
const refused = async (answer: Promise<{ status: number; at(path: string): unknown }>) => {
  const { status, at } = await answer;
  return [status, at("code")];
};

describe("somebody who means harm", () => {
  test("Z-80 mails no more strangers a day by making organizations anew, or by several of them", async () => {
    const mallory = await people.register("mallory");
    const invite = (id: string) => refused(mallory.client.post(of(id, "invitations"), { email: guest() }));
    const first = await kit.create(mallory, "First");
    expect([await invite(first), await invite(first)]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    expect((await mallory.client.request("DELETE", of(first))).status).toBe(200);
    const second = await kit.create(mallory, "Second");
    expect(await invite(second)).toEqual([200, undefined]);
    expect(await invite(second)).toEqual([429, "rate_limited"]);
    expect(await invite(await kit.create(mallory, "Third"))).toEqual([429, "rate_limited"]);
    expect(rows.count("auth_invitations where organization_id = ?", second)).toBe(1);
    // Nobody else is held up by it.
    const ada = await people.register("ada");
    const invited = ada.client.post(of(await kit.create(ada), "invitations"), { email: guest() });
    expect(await refused(invited)).toEqual([200, undefined]);
  });

  test("Z-81 gives no organization a name that hides characters, turns the text around it, or shows nothing", async () => {
    const mallory = await people.register("mallory");
    const id = await kit.create(mallory, "Plain");
    for (const name of ["Acme\u202egpj.exe", "Ac\u200bme", "Acme\u2066", "\u200d\u200d", "Acme\nInc", "A\u00adcme"]) {
      expect(await refused(mallory.client.post(organizations, { name }))).toEqual([400, "invalid_payload"]);
      expect(await refused(mallory.client.request("PATCH", of(id), { name }))).toEqual([400, "invalid_payload"]);
    }
    for (const name of ["Łódź & Söhne", "شرکت\u200cما", "👩\u200d🚀 Rockets"]) {
      const made = await mallory.client.post(organizations, { name });
      expect(made.at("organization.name")).toBe(name);
    }
    const listed = await clientIn(mallory.client).listOrganizations();
    expect(listed.ok && listed.organizations).toHaveLength(4);
  });

  test("Z-82 overwrites or withdraws no invitation that has just been made one of an owner", async () => {
    const { id, owner, admin } = await kit.team();
    rows.run("update auth_invitations set invited_at = invited_at - 90000000 where organization_id = ?", id);
    for (let round = 0; round < 3; round += 1) {
      const email = guest();
      const path = of(id, "invitations");
      const sent = await admin.client.post(path, { email });
      rows.run("update auth_invitations set invited_at = invited_at - 90000000 where organization_id = ?", id);
      const [asOwner] = await Promise.all([
        owner.client.post(path, { email, roles: ["owner"] }),
        round === 0
          ? admin.client.post(path, { email, roles: ["billing"] })
          : admin.client.post(`${path}/${sent.textAt("invitation.id")}/withdraw`),
      ]);
      // A withdrawal that came first leaves an invitation besides, and the owner makes a new one.
      const asked = "auth_invitations where email = ? and organization_roles = 'owner' and withdrawn_at is null";
      if (asOwner.status === 200) expect(rows.count(asked, email)).toBe(1);
    }
  });

  test("Z-85 uses up nothing of what staff, services and operators mail to somebody", async () => {
    const mallory = await people.register("mallory");
    const id = await kit.create(mallory);
    const email = guest();
    const invite = () => refused(mallory.client.post(of(id, "invitations"), { email }));
    for (let sent = 0; sent < 3; sent += 1) expect(await invite()).toEqual([200, undefined]);
    expect(await invite()).toEqual([429, "rate_limited"]);
    const ada = await people.register("ada");
    const ours = await kit.create(ada, "Ours");
    const authorization = `Bearer ${await serviceKit(target).create("crm-of-invitations", "organizations:write")}`;
    const path = `/api/v1/organizations/${ours}/invitations`;
    const byService = createClient(target.url).request("POST", path, { email }, { headers: { authorization } });
    expect(await refused(byService)).toEqual([200, undefined]);
  });

  test("Z-87 makes no organizations, and tells nobody of them, without end by deleting each again", async () => {
    const env = { ...target.env, ORGANIZATIONS_MAX_PER_PERSON: "1" };
    const few = await startTarget({ env });
    const { client } = await createPeople(few.url).register("looper");
    for (let made = 0; made < 21; made += 1) {
      const { status, textAt } = await client.post(organizations, { name: "Loop" });
      expect(status).toBe(200);
      await client.request("DELETE", of(textAt("organization.id")));
    }
    expect(await refused(client.post(organizations, { name: "Loop" }))).toEqual([429, "rate_limited"]);
    await few.stop();
  });
});

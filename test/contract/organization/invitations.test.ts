import { describe, expect, test } from "bun:test";
import { auth, createPeople } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { clientIn } from "../../support/client.library.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { of, organizationKit, organizations, organizationsOn } from "./organization.fixture.ts";

const staged = await stage({ env: { ...organizationsOn, ORGANIZATIONS_INVITATIONS_PER_DAY: "4" } });
const { browser, people, rows } = staged;
const kit = organizationKit(staged);

const refused = async (answer: Promise<{ status: number; at(path: string): unknown }>) => {
  const { status, at } = await answer;
  return [status, at("code")];
};
let guests = 0;
const guest = (): string => `guest-${(guests += 1)}-${process.pid}@example.test`;

describe("an invitation to an organization", () => {
  test("Z-11 makes an account for somebody who has none, with a proven address, who is then a member and nothing else", async () => {
    const { id, admin } = await kit.team("Acme Inc");
    const email = guest();
    const sent = await admin.client.post(of(id, "invitations"), { email, roles: ["billing", "member"] });
    expect(sent.at("invitation")).toMatchObject({ email, roles: ["billing", "member"], state: "waiting" });
    const token = await kit.invitationOf(email);
    const newcomer = browser();
    expect((await newcomer.post(auth("invitation"), { token })).at("invitation")).toMatchObject({
      email,
      organization: "Acme Inc",
      account: "none",
    });
    const accepted = await kit.accept(newcomer, token, { password: "a long walk by the sea" });
    expect(accepted.at("user")).toMatchObject({ email, roles: [], email_verified_at: expect.any(String) });
    const listed = await clientIn(newcomer).listOrganizations();
    expect(listed.ok && listed.organizations).toMatchObject([{ id, name: "Acme Inc", roles: ["billing", "member"] }]);
    expect(await refused(kit.accept(newcomer, token))).toEqual([410, "invitation_accepted"]);
  });

  test("Z-11 is accepted by the account that has the address, and by nobody else", async () => {
    const { id, owner, member } = await kit.team();
    const linus = await people.register("linus");
    await owner.client.post(of(id, "invitations"), { email: linus.email, roles: ["admin"] });
    const token = await kit.invitationOf(linus.email);
    expect(await refused(kit.accept(browser(), token, { password: "a long walk by the sea" }))).toEqual([
      409,
      "invitation_sign_in_required",
    ]);
    expect(await refused(kit.accept(member.client, token))).toEqual([409, "invitation_sign_in_required"]);
    expect((await kit.accept(linus.client, token)).status).toBe(200);
    expect((await linus.client.get(of(id))).at("organization.roles")).toEqual(["admin"]);
    expect(await refused(owner.client.post(of(id, "invitations"), { email: linus.email }))).toEqual([
      409,
      "member_exists",
    ]);
  });

  test("Z-12 is worth nothing once its sender may not send it any more, or has withdrawn it", async () => {
    const { id, owner, admin } = await kit.team();
    const [first, second] = [guest(), guest()];
    await admin.client.post(of(id, "invitations"), { email: first });
    const token = await kit.invitationOf(first);
    await owner.client.post(of(id, "members", admin.id, "roles"), { roles: ["member"] });
    expect(await refused(kit.accept(browser(), token, { password: "a long walk by the sea" }))).toEqual([
      410,
      "invitation_withdrawn",
    ]);
    const sent = await owner.client.post(of(id, "invitations"), { email: second, roles: ["owner"] });
    const other = await kit.invitationOf(second);
    const withdrawn = await owner.client.post(of(id, "invitations", sent.textAt("invitation.id"), "withdraw"));
    expect(withdrawn.at("invitation")).toMatchObject({ state: "withdrawn" });
    expect(await refused(kit.accept(browser(), other, { password: "a long walk by the sea" }))).toEqual([
      410,
      "invitation_withdrawn",
    ]);
    expect(rows.count("organization_members where organization_id = ?", id)).toBe(3);
  });

  test("Z-12 as an owner is sent, and ended, by owners alone", async () => {
    const { id, owner, admin } = await kit.team();
    const email = guest();
    expect(await refused(admin.client.post(of(id, "invitations"), { email, roles: ["owner"] }))).toEqual([
      403,
      "forbidden",
    ]);
    const sent = await owner.client.post(of(id, "invitations"), { email, roles: ["owner"] });
    const withdraw = of(id, "invitations", sent.textAt("invitation.id"), "withdraw");
    expect(await refused(admin.client.post(withdraw))).toEqual([403, "forbidden"]);
    // Inviting the address again with less would take the roles of the first one away.
    expect(await refused(admin.client.post(of(id, "invitations"), { email, roles: ["member"] }))).toEqual([
      403,
      "forbidden",
    ]);
    expect((await owner.client.post(withdraw)).status).toBe(200);
  });

  test("Z-12 of one organization and of another stand beside each other, and beside one to the service", async () => {
    const [ours, theirs] = [await kit.team("Ours"), await kit.team("Theirs")];
    const email = guest();
    await ours.owner.client.post(of(ours.id, "invitations"), { email });
    const first = await kit.invitationOf(email);
    await theirs.owner.client.post(of(theirs.id, "invitations"), { email });
    const second = await kit.invitationOf(email);
    const newcomer = browser();
    await kit.accept(newcomer, first, { password: "a long walk by the sea" });
    expect((await kit.accept(newcomer, second)).status).toBe(200);
    const listed = await clientIn(newcomer).listOrganizations();
    expect(listed.ok && listed.organizations.map(({ name }) => name)).toEqual(["Ours", "Theirs"]);
  });

  test("Z-13 is one of so many a day, a mailbox gets three an hour, and a person is in so many organizations", async () => {
    const { id, owner } = await kit.team();
    // Two were sent already, to make the team.
    expect(await refused(owner.client.post(of(id, "invitations"), { email: guest() }))).toEqual([200, undefined]);
    const email = guest();
    for (let sent = 0; sent < 3; sent += 1)
      expect(await refused(owner.client.post(of(id, "invitations"), { email }))).toEqual([200, undefined]);
    expect(await refused(owner.client.post(of(id, "invitations"), { email }))).toEqual([429, "rate_limited"]);
    expect(await refused(owner.client.post(of(id, "invitations"), { email: guest() }))).toEqual([409, "limit_reached"]);
    const env = { ...staged.target.env, ORGANIZATIONS_MAX_PER_PERSON: "2", ORGANIZATIONS_CREATION: "anyone" };
    const few = await startTarget({ env });
    const ada = await createPeople(few.url).register("adelaide");
    const make = () => refused(ada.client.post(organizations, { name: "Acme" }));
    expect([await make(), await make(), await make()]).toEqual([
      [200, undefined],
      [200, undefined],
      [409, "limit_reached"],
    ]);
    await few.stop();
    const small = await startTarget({ env: { ...staged.target.env, ORGANIZATIONS_MAX_MEMBERS: "1" } });
    const edith = await createPeople(small.url).register("edith");
    const full = await edith.client.post(organizations, { name: "Full" });
    const address = guest();
    await edith.client.post(of(full.textAt("organization.id"), "invitations"), { email: address });
    const token = await kit.invitationOf(address);
    const joining = kit.accept(createClient(small.url), token, { password: "a long walk by the sea" });
    expect(await refused(joining)).toEqual([409, "limit_reached"]);
    await small.stop();
  });
});

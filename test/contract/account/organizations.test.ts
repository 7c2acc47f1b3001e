import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Person } from "../../support/auth.ts";
import { chromiumMissing } from "../../support/chromium.ts";
import { createClient } from "../../support/client.ts";
import { clientIn } from "../../support/client.library.ts";
import { stage } from "../../support/stage.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";
import { of, organizationKit, organizations, organizationsOn } from "../organization/organization.fixture.ts";
import { openOrganizations, type OrganizationPages } from "./organizations.fixture.ts";

const staged = await stage({ env: organizationsOn });
const { target, people, rows } = staged;
const kit = organizationKit(staged);
endTargetsAfterEach();

describe("the page of an organization", () => {
  test("Z-40 is sent with a session alone, is not stored, and others are led to the sign-in and back", async () => {
    const ada = await people.register("ada");
    const id = await kit.create(ada);
    const page = await ada.client.get(`/account/organization?id=${id}`);
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(page.text).not.toContain("Acme");
    const stranger = await createClient(target.url).get(`/account/organization?id=${id}&more=1`);
    expect([stranger.status, stranger.headers.get("location")]).toEqual([
      303,
      `/login?next=${encodeURIComponent(`/account/organization?id=${id}`)}`,
    ]);
  });

  test("is not there where nobody belongs to organizations", async () => {
    const bare = await startTarget({ roles: ["http"] });
    expect((await createClient(bare.url).get("/account/organization")).status).toBe(404);
    await bare.stop();
  });
});

describe.skipIf(chromiumMissing !== undefined)(
  `organizations in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let shown: OrganizationPages;
    let visitor: OrganizationPages["visitor"];
    beforeAll(async () => {
      shown = await openOrganizations(staged);
      ({ visitor } = shown);
    }, 60_000);
    afterAll(() => shown.stop());

    const rolesOf = async (viewer: Person, id: string, person: Person): Promise<unknown> => {
      const listed = await clientIn(viewer.client).listMembers(id);
      return listed.ok ? listed.members.find(({ user }) => user.id === person.id)?.roles : listed.code;
    };
    const activeOf = async (person: Person): Promise<unknown> => {
      const listed = await clientIn(person.client).listOrganizations();
      return listed.ok ? listed.organizations.filter(({ active }) => active).map(({ name }) => name) : listed.code;
    };

    test("somebody makes one on the page of their account, acts for it, and for themselves again", async () => {
      const ada = await people.register("ada", { display_name: "Ada Lovelace" });
      await shown.open(ada, "/account#organizations", "You are in no organization yet.");
      await visitor.press("Make an organization");
      await visitor.press("Make it");
      await shown.reads("Name is missing.");
      await visitor.fill("organization-name", "Analytical Engines");
      await shown.look("account-making", ada);
      await visitor.press("Make it");
      await shown.reads("Analytical Engines is made, and you are its owner.");
      await shown.reads("You are in one organization. On this device you act for yourself.");
      await shown.pressNamed("Switch to Analytical Engines");
      await shown.reads("On this device you act for Analytical Engines.");
      expect(await activeOf(ada)).toEqual(["Analytical Engines"]);
      const arabic = await kit.create(ada, "شركة المحرك التحليلي".repeat(5));
      await kit.create(ada, `👩‍👩‍👧‍👦 ${"Donaudampfschifffahrtsgesellschaft".repeat(2)} 🚢`);
      await shown.open(ada, "/account#organizations", "You are in 3 organizations.");
      await shown.look("account-organizations", ada);
      await visitor.press("Act for yourself");
      await shown.reads("On this device you act for yourself.");
      await kit.join(ada, arabic, await people.register("grace", { display_name: "Donaudampfschifffahrt".repeat(9) }));
      await kit.join(ada, arabic, await people.register("omar", { display_name: "عمر الخيام \u202e(" }));
      await shown.open(ada, shown.pageOf(arabic), "3 people are in it.");
      await visitor.press("Switch to this organization");
      await shown.reads("Active");
      await shown.look("long-names", ada);
      await visitor.press("Your account");
      await shown.reads("On this device you act for شركة");
      expect(await activeOf(ada)).toHaveLength(1);
      expect(visitor.takeComplaints()).toEqual([]);
    });

    test("an owner changes roles by a list box and a button, keeps names of the app's, and is asked before there is another owner", async () => {
      const { id, owner, admin, member } = await kit.team("Acme Inc");
      await owner.client.post(of(id, "members", member.id, "roles"), { roles: ["billing", "member"] });
      await shown.open(owner, shown.pageOf(id), "3 people are in it.");
      await shown.look("owner", owner);
      const grace = admin.username;
      // By the keyboard alone: a key changes the list box and nothing else.
      await visitor.ask("[...document.querySelectorAll('select')].at(-1).focus()");
      await shown.tab.press("ArrowUp");
      await shown.reads("Save");
      await shown.tab.press("Tab");
      await visitor.isOn("Save");
      expect(await rolesOf(owner, id, member)).toEqual(["billing", "member"]);
      await shown.tab.press("Enter");
      await shown.reads(`${member.username}: Admin from now on.`);
      expect(await rolesOf(owner, id, member)).toEqual(["admin", "billing"]);
      await visitor.until("the focus", async () => (await visitor.ask("document.activeElement.tagName")) === "SELECT");
      await shown.choose(`Role of ${grace}`, "owner");
      await shown.look("owner-changing", owner);
      await visitor.press("Save");
      await shown.reads(`Make ${grace} an owner?`);
      await shown.look("owner-asked", owner);
      expect(await rolesOf(owner, id, admin)).toEqual(["admin"]);
      await shown.confirm("Make owner");
      await shown.reads(`${grace}: Owner from now on.`);
      // Now the first owner may step down.
      await shown.choose(`Role of ${owner.username}`, "member");
      await visitor.press("Save");
      await shown.reads("Change your own role?");
      await shown.confirm("Change my role");
      await shown.reads("Your role: Member");
      expect(await shown.controls()).toEqual(["Switch to this organization", "Leave"]);
      expect([await rolesOf(admin, id, owner), await rolesOf(admin, id, admin)]).toEqual([["member"], ["owner"]]);
    });

    test("Z-41 a member reads who is there, and is offered no act but to leave; an admin none over owners", async () => {
      const { id, owner, admin, member } = await kit.team("Acme Inc");
      await kit.join(owner, id, await people.register("linus"));
      await owner.client.post(of(id, "invitations"), { email: "owner-to-be@example.test", roles: ["owner"] });
      await shown.open(member, shown.pageOf(id), "4 people are in it.");
      visitor.takeRequests();
      await shown.open(member, shown.pageOf(id), owner.email);
      expect(await shown.controls()).toEqual(["Switch to this organization", "Leave"]);
      expect(visitor.takeRequests().filter((url) => url.includes("/invitations"))).toEqual([]);
      await shown.look("member", member);
      await shown.open(admin, shown.pageOf(id), "One person is invited.");
      await shown.look("admin", admin);
      const inMembers = await shown.controls("#members");
      expect(inMembers).toContain(`Remove ${member.username}`);
      expect(String(inMembers)).not.toContain(owner.username);
      expect(await shown.controls("#invitations")).toEqual(["Invite somebody"]);
      expect(await shown.controls("#settings")).toEqual(["Change name", "Leave"]);
      expect(
        await visitor.ask("[...document.querySelector('#members select').options].map(({ value }) => value)"),
      ).toEqual(["admin", "member"]);
    });

    test("an admin invites, withdraws, removes and renames", async () => {
      const { id, owner, admin, member } = await kit.team("Acme Inc");
      await shown.open(admin, shown.pageOf(id), "Nobody is invited right now.");
      await visitor.press("Invite somebody");
      await visitor.isOn("invite-email");
      await visitor.fill("invite-email", member.email);
      await visitor.press("Send the invitation");
      await shown.reads("This person is a member already.");
      const newcomer = `${"einladung".repeat(5)}@example.test`;
      await visitor.fill("invite-email", newcomer);
      await shown.choose("invite-role", "admin");
      await shown.look("inviting", admin);
      await visitor.press("Send the invitation");
      await shown.reads(`A mail is on its way to ${newcomer}.`);
      await kit.invitationOf(newcomer);
      await shown.look("invited", admin);
      await shown.pressNamed(`Withdraw the invitation of ${newcomer}`);
      await shown.reads("Nobody is invited right now.");
      await shown.pressNamed(`Remove ${member.username}`);
      await shown.look("removing", admin);
      await shown.confirm("Remove");
      await shown.reads("2 people are in it.");
      expect(await rolesOf(owner, id, member)).toBeUndefined();
      await visitor.press("Change name");
      await visitor.fill("organization-name", "Acme Limited");
      await visitor.press("Save");
      await visitor.shows("Acme Limited");
      // What has changed meanwhile is said in words.
      await owner.client.post(of(id, "members", admin.id, "roles"), { roles: ["member"] });
      await visitor.press("Change name");
      await visitor.fill("organization-name", "Mine");
      await visitor.press("Save");
      await shown.reads("You may not do this here.");
    });

    test("members come in pages", async () => {
      const ada = await people.register("ada");
      const id = await kit.create(ada);
      const others = await Promise.all(Array.from({ length: 55 }, () => people.register("guest")));
      for (const { id: user } of others)
        rows.run(
          "insert into organization_members (organization_id, user_id, roles, rank, joined_at) values (?, ?, 'member', 0, ?)",
          id,
          user,
          Date.now(),
        );
      rows.run("update organizations set members = 56 where id = ?", id);
      const count = async (): Promise<unknown> =>
        visitor.ask("document.querySelectorAll('#members .rows > li').length");
      await shown.open(ada, shown.pageOf(id), "56 people are in it.");
      expect(await count()).toBe(50);
      await visitor.press("Show more");
      await visitor.until("all members", async () => (await count()) === 56);
      expect(await shown.controls("#members .content > div")).toEqual([]);
    });

    test("the only owner hears what to do before they leave or delete their account, and deletes by the name", async () => {
      const { id, owner } = await kit.team("Acme Inc");
      const alone = await kit.create(owner, "Solo");
      await shown.open(owner, "/account#organizations", "You are in 2 organizations.");
      await shown.pressNamed("Leave Acme Inc");
      await shown.confirm("Leave");
      await shown.reads("You are the only owner. Make somebody else an owner first, or delete the organization.");
      await shown.look("last-owner", owner);
      await shown.confirm("Cancel");
      await visitor.press("Delete account");
      await shown.reads("You are the only owner of these organizations.");
      await shown.look("account-deletion", owner);
      await visitor.press("Solo");
      await shown.reads("You are the only owner. To hand it over or leave, make somebody else an owner");
      await visitor.press("Delete organization");
      await visitor.fill("typed", "Sol");
      await visitor.press("Delete for good");
      await shown.reads("This is not its name.");
      await visitor.fill("typed", "solo");
      await shown.look("deleting", owner);
      await visitor.press("Delete for good");
      await shown.reads("Solo is deleted.");
      await shown.reads("You are in one organization.");
      await visitor.isOn("Organizations");
      const gone = await owner.client.get(of(alone));
      expect([gone.status, (await owner.client.get(of(id))).status]).toEqual([404, 200]);
    });

    test("Z-42 an address that names no organization of the reader's says so, and one that is no id asks for nothing", async () => {
      const { id } = await kit.team();
      const mallory = await people.register("mallory");
      await shown.open(mallory, shown.pageOf(id), "This organization is not here");
      visitor.takeRequests();
      for (const wrong of ["..", "../me", "x", `${id}/leave`]) {
        await shown.open(
          mallory,
          `/account/organization?id=${encodeURIComponent(wrong)}`,
          "This organization is not here",
        );
        expect(visitor.takeRequests().filter((url) => url.includes(organizations))).toEqual([]);
      }
      await shown.look("missing", mallory);
      await visitor.press("Go to your account");
      await visitor.isAt("/account");
    });

    test("Z-43 an invitation names the organization; who has no account makes one and joins, once they press", async () => {
      const ada = await people.register("ada", { display_name: "Ada Lovelace" });
      const id = await kit.create(ada, "Analytical Engines");
      const email = "newcomer@example.test";
      await ada.client.post(of(id, "invitations"), { email });
      const link = `/accept-invitation?token=${await kit.invitationOf(email)}`;
      await shown.openAsStranger(link, "Join Analytical Engines");
      await shown.reads("Ada Lovelace invites you.");
      expect(rows.count("organization_members where organization_id = ?", id)).toBe(1);
      await visitor.fill("display_name", "Grace Hopper");
      await visitor.fill("password", "a long walk by the sea");
      await shown.look("accepting", ada);
      await visitor.press("Create account and join");
      await visitor.shows("Your account");
      await shown.reads("You are in Analytical Engines now.");
      expect(rows.count("organization_members where organization_id = ?", id)).toBe(2);
    });

    test("Z-43 whoever is signed in to the invited address joins by one press, and a member hears that they are one", async () => {
      const ada = await people.register("ada", { display_name: "Ada Lovelace" });
      const grace = await people.register("grace");
      const id = await kit.create(ada, "Analytical Engines");
      await ada.client.post(of(id, "invitations"), { email: grace.email });
      const token = await kit.invitationOf(grace.email);
      await shown.open(grace, `/accept-invitation?token=${token}`, "Join Analytical Engines");
      await shown.look("joining", grace);
      expect(await rolesOf(ada, id, grace)).toBeUndefined();
      rows.run(
        "insert into organization_members (organization_id, user_id, roles, rank, joined_at) values (?, ?, 'member', 0, 1)",
        id,
        grace.id,
      );
      await visitor.press("Join");
      await shown.reads("You are in Analytical Engines already");
      await shown.look("already", grace);
      rows.run("delete from organization_members where user_id = ?", grace.id);
      await shown.open(grace, `/accept-invitation?token=${token}`, "Join Analytical Engines");
      await visitor.press("Join");
      await shown.reads("You are in Analytical Engines now.");
      await visitor.press("Analytical Engines");
      await visitor.shows("Analytical Engines");
      await visitor.press("Leave");
      await shown.confirm("Leave");
      await shown.reads("You have left Analytical Engines.");
      expect(await rolesOf(ada, id, grace)).toBeUndefined();
    });
  },
);

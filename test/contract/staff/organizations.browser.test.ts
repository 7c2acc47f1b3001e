import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Person } from "../../support/auth.ts";
import { askBrowser, chromiumMissing, showOn } from "../../support/chromium.ts";
import type { Visitor } from "../../support/visitor.ts";
import { of, organizationKit, organizationsOn } from "../organization/organization.fixture.ts";
import { openDesk } from "./desk.fixture.ts";
import { visitAsStaff } from "./visitor.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];
const opened = await openDesk(organizationsOn);
const { admin, people, rows, staff } = opened;
const kit = organizationKit(opened);

describe.skipIf(chromiumMissing !== undefined)(
  `the pages of organizations in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let visitor: Visitor;
    let grace: Person;
    beforeAll(async () => {
      ({ person: grace } = await staff("grace"));
      visitor = await visitAsStaff(admin.url, grace);
    }, 120_000);
    afterAll(() => {
      visitor.tab.close();
      Bun.WebView.closeAll();
    });

    /** Checks the page for barriers, and takes its picture. */
    async function look(name: string): Promise<void> {
      await visitor.expectNoBarriers(name);
      for (const width of pictures === undefined ? [] : [1280, 390])
        for (const scheme of ["light", "dark"] as const) {
          await showOn(visitor.tab, width, scheme);
          await visitor.ask("Promise.all(document.getAnimations().map(({ finished }) => finished))");
          const height = Number(await visitor.ask("document.documentElement.scrollHeight"));
          const size = { width, height: Math.min(height, 3_000), deviceScaleFactor: 1, mobile: false };
          await askBrowser(visitor.tab, "Emulation.setDeviceMetricsOverride", size);
          await Bun.write(join(pictures ?? "", `${name}-${width}-${scheme}.png`), await visitor.tab.screenshot());
        }
      await showOn(visitor.tab, 1280, "light");
    }
    const open = (path: string, title: string): Promise<void> => visitor.open(`${admin.url}${path}`, title);

    test("the list finds one with the keyboard alone, and says which has no active owner", async () => {
      await open("/organizations", "Organizations");
      await look("organizations-none");
      const { owner } = await kit.team("Acme Inc");
      await kit.create(owner, "Büro & Söhne");
      const left = await kit.team("Left Alone Limited");
      rows.run("update users set active = 0 where id = ?", left.owner.id);
      await kit.create(left.admin, `${"W".repeat(50)} ${"m".repeat(49)}`);
      await open("/organizations", "Organizations");
      await visitor.says("no active owner");
      await look("organizations");
      await visitor.isOn("search");
      await visitor.tab.type("buro");
      await visitor.tab.press("Enter");
      await visitor.says("buro-sohne");
      await visitor.press("Büro & Söhne");
      await visitor.shows("Büro & Söhne");
      await open("/organizations?search=nothing", "Organizations");
      await look("organizations-nothing");
    });

    test("one is made, somebody is added and made an admin, taken out, and put back in", async () => {
      const [ada, edith] = [
        await people.register("ada", { display_name: "Ada Lovelace" }),
        await people.register("edith", { display_name: "Edith Clarke" }),
      ];
      await open("/organizations", "Organizations");
      await visitor.press("Make one");
      await visitor.shows("Make an organization");
      await look("organization-new");
      await visitor.fill("name", "Analytical Engines");
      await visitor.fill("owner", ada.email);
      await visitor.press("Make the organization");
      await visitor.shows("Analytical Engines");
      await visitor.fill("login", edith.username);
      await visitor.press("Add");
      await visitor.says("Edith Clarke is in Analytical Engines now, as member.");
      await visitor.ask("document.querySelectorAll('details.change')[1].open = true");
      await look("organization-change");
      await visitor.fill(`roles-${edith.id}`, "admin, billing");
      await visitor.ask("document.querySelectorAll('details.change')[1].querySelector('button').click()");
      await visitor.says("Edith Clarke is admin, billing now");
      await visitor.ask("document.querySelectorAll('details.change')[1].open = true");
      await visitor.ask("document.querySelectorAll('details.change')[1].querySelector('.danger').click()");
      await visitor.says("Edith Clarke is no longer in Analytical Engines.");
      await visitor.press("Add again");
      await visitor.says("Edith Clarke is in Analytical Engines now, as admin, billing.");
      await visitor.fill("login", "nobody at all");
      await visitor.press("Add");
      await visitor.says("Nobody has this name, address or id.");
      await look("organization-refused");
    });

    test("the page of one has all of it, and one without an active owner is given one", async () => {
      const { id, owner, member } = await kit.team("Hamilton Works");
      rows.run("update users set display_name = ? where id = ?", `${"W".repeat(100)} ${"m".repeat(99)}`, member.id);
      await owner.client.request("PATCH", of(id), { metadata: { plan: "business", seats: 25 } });
      for (const email of ["waiting@example.test", `${"x".repeat(60)}@example.test`])
        await owner.client.post(of(id, "invitations"), { email, roles: ["admin", "billing"] });
      await open(`/organizations/${id}`, "Hamilton Works");
      await visitor.says('"plan": "business"');
      await look("organization");
      await open(`/people/${member.id}`, `${"W".repeat(100)} ${"m".repeat(99)}`);
      await visitor.says("hamilton-works");
      rows.run("update users set active = 0 where id = ?", owner.id);
      await open(`/organizations/${id}`, "Hamilton Works");
      await visitor.says("Nobody can act as an owner");
      await look("organization-ownerless");
      await visitor.fill("new-owner", member.email);
      await visitor.press("Make them an owner");
      await visitor.says("is member, owner now");
      expect(rows.get("select owners from organizations where id = ?", id)).toEqual({ owners: 2 });
      await open(`/people/${owner.id}`, owner.username);
      await look("person-with-organizations");
      await open(`/audit?organization=hamilton-works`, "Audit");
      await look("audit-of-organization");
    });

    test("a domain and the provider are taken away, each after a question", async () => {
      const { id, owner } = await kit.team("Lovelace Looms");
      for (const domain of ["looms.example", `${"donaudampfschifffahrt".repeat(2)}.${"w".repeat(40)}.example`])
        await owner.client.post(of(id, "domains"), { domain });
      rows.run("update organization_domains set verified_at = 1 where domain = 'looms.example'");
      rows.run(
        "insert into organization_providers values (?, ?, 'gatehouse', 'sealed', 1, 1, 1)",
        id,
        `https://login.looms.example/${"realm".repeat(20)}`,
      );
      await open(`/organizations/${id}`, "Lovelace Looms");
      await visitor.says("looms.example");
      await look("organization-domains");
      await visitor.press("Remove the provider…");
      await visitor.shows("Remove the provider of Lovelace Looms?");
      await look("organization-remove-provider");
      await visitor.press("Remove the provider");
      await visitor.says("Lovelace Looms has no provider of its own any more");
      await visitor.press("Remove…");
      await visitor.shows("Take looms.example away from Lovelace Looms?");
      await look("organization-remove-domain");
      await visitor.press("Take the domain away");
      await visitor.says("looms.example is no longer a domain of Lovelace Looms");
      expect(rows.count("organization_domains where organization_id = ?", id)).toBe(1);
    });

    test("one is deleted after a question, which wants its slug", async () => {
      const { id } = await kit.team("Doomed Limited");
      await open(`/organizations/${id}`, "Doomed Limited");
      await visitor.press("Delete…");
      await visitor.shows("Delete Doomed Limited?");
      await visitor.isOn("slug");
      await look("organization-delete");
      await visitor.tab.type("doomed");
      await visitor.tab.press("Enter");
      await visitor.says("This is not the slug of the organization");
      await visitor.fill("slug", "doomed-limited");
      await visitor.press("Delete the organization");
      await visitor.says("Doomed Limited is deleted.");
    });
  },
);

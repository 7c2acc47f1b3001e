import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chromiumMissing, showOn } from "../../support/chromium.ts";
import { stage } from "../../support/stage.ts";
import { domainKit, nameServerOfFile, recordOf } from "../organization/domain.fixture.ts";
import { organizationKit } from "../organization/organization.fixture.ts";
import { openOrganizations, type OrganizationPages } from "./organizations.fixture.ts";

const { names, env } = await nameServerOfFile();
const staged = await stage({ env });
const { rows } = staged;
const kit = organizationKit(staged);
const { prove } = domainKit(staged, names);

describe.skipIf(chromiumMissing !== undefined)(
  `the ways into an organization in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let shown: OrganizationPages;
    let visitor: OrganizationPages["visitor"];
    beforeAll(async () => {
      shown = await openOrganizations(staged);
      ({ visitor } = shown);
    }, 60_000);
    afterAll(() => shown.stop());

    /** Fails where the page is wider than the narrowest phone. */
    async function fitsPhones(): Promise<void> {
      await showOn(shown.tab, 320, "dark");
      expect(Number(await visitor.ask("document.documentElement.scrollWidth - innerWidth"))).toBeLessThanOrEqual(0);
      await showOn(shown.tab, 1280, "light");
    }

    test("an admin adds a domain, proves it by the record that is shown, says who joins by it, and removes it", async () => {
      const { id, admin } = await kit.team("Analytical Engines");
      const domain = "donaudampfschifffahrtselektrizitaeten.example";
      await shown.open(admin, shown.pageOf(id), "No domain is proven yet.");
      expect(await shown.controls("#sign-in")).toEqual([]);
      await visitor.press("Add a domain");
      await visitor.fill("domain-domain", "co.uk");
      await visitor.press("Add");
      await shown.reads("This is not a domain that somebody can own.");
      await visitor.fill("domain-domain", domain);
      await shown.look("ways-adding", admin);
      await visitor.press("Add");
      await shown.reads(`${domain} is added. Prove it by the record below.`);
      await shown.reads(recordOf(domain));
      await shown.look("ways-unproven", admin);
      await fitsPhones();
      await visitor.press("Look for the record");
      await shown.reads("The record is not there yet, or not seen yet.");
      const value = String(rows.get("select token from organization_domains where domain = ?", domain)["token"]);
      await shown.reads(value);
      names.answers.set(recordOf(domain), { texts: [[value]] });
      await visitor.press("Look for the record");
      await shown.reads(`${domain} is proven.`);
      await shown.reads("One domain is proven.");
      await visitor.press("Change who joins");
      await shown.choose(
        `join-${rows.get("select id from organization_domains where domain = ?", domain)["id"]}-join`,
        "auto",
      );
      await visitor.press("Save");
      await shown.reads("People with an address below it are members once they sign in.");
      await shown.look("ways-proven", admin);
      await shown.pressNamed(`Remove ${domain}`);
      await shown.reads(`Remove ${domain}?`);
      await shown.look("ways-removing", admin);
      await shown.confirm("Remove");
      await shown.reads(`${domain} is removed.`);
      expect(rows.count("organization_domains where organization_id = ?", id)).toBe(0);
      expect(visitor.takeComplaints()).toEqual([]);
    }, 120_000);

    test("an owner sets a provider, demands it, signs members out and removes it, with a fresh proof", async () => {
      const { id, owner } = await kit.team("Difference Engines");
      await shown.open(owner, shown.pageOf(id), "Prove a domain first");
      await prove(owner, id, "difference.example");
      await shown.open(owner, shown.pageOf(id), "People sign in in their own ways.");
      await visitor.press("Set it up");
      await shown.reads(`/api/v1/auth/oauth/org-${id}/callback`);
      await visitor.fill("provider-issuer", "ftp://login.example.com");
      await visitor.fill("provider-client_id", "gatehouse");
      await visitor.fill("provider-client_secret", "a secret of the test");
      await shown.look("ways-provider-form", owner);
      await fitsPhones();
      await visitor.press("Save");
      await shown.reads("This is not the address of such a system.");
      await visitor.fill("provider-issuer", `https://login.example.com/${"realms".repeat(12)}`);
      await visitor.ask("document.querySelector('[name=enforced]').click()");
      await visitor.press("Save");
      await shown.reads("It is set. Try it in a private window");
      await shown.reads("sign in with a system of yours, and in no other way.");
      expect(await visitor.text()).not.toContain("a secret of the test");
      await shown.look("ways-provider", owner);
      await fitsPhones();
      await visitor.press("Change it");
      expect(await visitor.ask("document.querySelector('[name=enforced]').checked")).toBe(true);
      await visitor.press("Cancel");
      await visitor.press("Sign members out");
      await shown.reads("Sign out all who have to come by it?");
      await shown.confirm("Sign members out");
      await shown.reads("They are being signed out.");
      rows.run("update auth_sessions set proved_at = 1 where user_id = ?", owner.id);
      await visitor.ask("document.querySelector('#sign-in .danger').click()");
      await shown.reads("Remove the sign-in of your own?");
      await shown.confirm("Remove");
      await visitor.fill("proof-current_password", owner.password);
      await visitor.press("Continue");
      await shown.reads("It is removed. People sign in in their own ways.");
      expect(rows.count("organization_providers where organization_id = ?", id)).toBe(0);
      expect(visitor.takeComplaints()).toEqual([]);
    }, 120_000);

    test("a member sees neither, and loads neither", async () => {
      const { id, member } = await kit.team("Jacquard Looms");
      visitor.takeRequests();
      await shown.open(member, shown.pageOf(id), "3 people are in it.");
      expect(await shown.controls("#domains")).toEqual([]);
      expect(
        visitor.takeRequests().filter((url) => /\/assets\/(?:index|ways)\.|\/(?:domains|provider)$/.test(url)),
      ).toEqual([]);
    }, 60_000);
  },
);

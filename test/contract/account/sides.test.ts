import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, type Person } from "../../support/auth.ts";
import { chromiumMissing, showOn } from "../../support/chromium.ts";
import { stage } from "../../support/stage.ts";
import { ourWords } from "../../support/words.ts";
import { of, organizationKit, organizationsOn } from "../organization/organization.fixture.ts";
import { openOrganizations, type OrganizationPages } from "./organizations.fixture.ts";

const staged = await stage({ env: { ...organizationsOn, AUTH_PERSONAL_TOKENS_ENABLED: "true" } });
const kit = organizationKit(staged);

/** The words of every last button of a line that does not stand at the end of its section, where lines of that language end. */
const strays = `(() => {
  const isRightToLeft = getComputedStyle(document.documentElement).direction === "rtl";
  const endOf = (element) => element.getBoundingClientRect()[isRightToLeft ? "left" : "right"];
  const controls = [...document.querySelectorAll(".content :is(button, select)")]
    .filter((each) => each.getClientRects().length > 0 && each.closest("dialog, .field, .beside, .notice") === null);
  return controls
    .filter((each) => !controls.some((other) => other.parentElement === each.parentElement && each.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING))
    .filter((each) => Math.abs(endOf(each) - endOf(each.closest(".content"))) > 1)
    .map((each) => each.ariaLabel ?? each.textContent);
})()`;

describe.skipIf(chromiumMissing !== undefined)(
  `where buttons stand in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let shown: OrganizationPages;
    let ada: Person;
    let id: string;
    beforeAll(async () => {
      shown = await openOrganizations(staged);
      ({ owner: ada, id } = await kit.team("Analytical Engines"));
      await ada.client.post(of(id, "invitations"), { email: "a.very.long.name.of.somebody@example.test" });
      await ada.client.post(of(id, "domains"), { domain: "analytical-engines.example.com" });
    }, 120_000);
    afterAll(() => shown.stop());

    test.each([
      ["en", 1280],
      ["en", 390],
      ["de", 390],
      ["ar", 390],
      ["ar", 1280],
    ] as const)("on one side of every section: %s at %i px", async (language, width) => {
      await ada.client.post(auth("profile"), { locale: language });
      const { sections } = ourWords.say(language, "account");
      for (const [path, text] of [
        ["/account", sections.deletion],
        [shown.pageOf(id), ourWords.say(language, "ways").domains.verify],
      ] as const) {
        await showOn(shown.tab, width, "light");
        await shown.open(ada, path, text);
        expect({ path, strays: await shown.visitor.ask(strays) }).toEqual({ path, strays: [] });
      }
      // A name of a record begins with a sign, which would stand at its end where the page is read from the right.
      const directions = `[...document.querySelectorAll("pre")].map((each) => getComputedStyle(each).direction).join()`;
      expect(await shown.visitor.ask(directions)).toBe("ltr,ltr");
    });

    test("beside a long sentence, which takes two lines then", async () => {
      await ada.client.post(auth("profile"), { locale: "en" });
      await showOn(shown.tab, 1280, "light");
      await shown.open(ada, "/account", "Make a token");
      const isBeside = `(([sentence, button]) => button.top < sentence.bottom && button.bottom > sentence.top)(
        ["#tokens .state", "#tokens button"].map((each) => document.querySelector(each).getBoundingClientRect()))`;
      expect(await shown.visitor.ask(isBeside)).toBe(true);
    });
  },
);

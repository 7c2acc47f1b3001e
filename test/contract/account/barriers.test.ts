import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { auth, minute, type Person } from "../../support/auth.ts";
import { findBarriers } from "../../support/axe.ts";
import { askBrowser, becomeClient, chromiumMissing, goTo, showOn } from "../../support/chromium.ts";
import { startAccountPage, type AccountPage } from "./account.fixture.ts";
import { ourWords } from "../../support/words.ts";

describe.skipIf(chromiumMissing !== undefined)(
  `the account page for everybody, in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let shown: AccountPage;
    let stage: AccountPage["stage"];
    let tab: AccountPage["tab"];
    let visitor: AccountPage["visitor"];
    let ada: Person;
    beforeAll(async () => {
      shown = await startAccountPage();
      ({ stage, tab, visitor } = shown);
    }, 120_000);
    afterAll(() => shown.stop());
    beforeEach(async () => {
      ada = await stage.people.register("ada", { display_name: "Ada Lovelace" });
    });

    test("axe finds nothing in any state, and nothing is wider than the screen", async () => {
      const link = "insert into auth_identities values (?, ?, 'github', '', ?, null, 'ada', ?, null)";
      stage.rows.run(link, ada.id, ada.id, ada.id, Date.now());
      await ada.client.post(auth("profile"), {
        display_name: "لوفليس".repeat(30),
        email: `${"donaudampfschifffahrt".repeat(3)}@example.test`,
        current_password: ada.password,
      });
      await ada.login();
      for (const [locale, words, width, scheme] of [
        ["en", ourWords.say("en", "account"), 1280, "light"],
        ["de", ourWords.say("de", "account"), 320, "dark"],
      ] as const) {
        await showOn(tab, width, scheme);
        await ada.client.post(auth("profile"), { locale });
        await shown.open(ada.client, "/account", words.sessions.everywhere);
        await expectNoBarrier(`${locale}, at rest`);
        for (const { change } of [words.profile, words.email, words.password]) await visitor.press(change);
        await expectNoBarrier(`${locale}, with its forms`);
        for (const act of [words.sessions.everywhere, words.data.remove]) {
          await visitor.press(act);
          await visitor.until(
            act,
            async () => (await visitor.ask("document.querySelector('dialog[open]') !== null")) === true,
          );
          await expectNoBarrier(`${locale}, ${act}`);
          await tab.press("Escape");
        }
      }
      await visitor.ask("document.body.append(document.createElement('button'))");
      expect(await findBarriers(visitor)).toEqual([expect.stringContaining("button-name")]);
    });

    test("axe finds nothing while it loads, in the question for a fresh proof, and in forced colours", async () => {
      const delay = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
      const network = (latency: number): Promise<unknown> =>
        askBrowser(tab, "Network.emulateNetworkConditions", { ...delay, latency });
      const isShown = (selector: string) => async (): Promise<boolean> =>
        (await visitor.ask(`document.querySelector("${selector}") !== null`)) === true;
      await askBrowser(tab, "Network.enable");
      for (const [width, scheme, forced] of [
        [1280, "light", "none"],
        [320, "dark", "none"],
        [320, "light", "active"],
      ] as const) {
        const state = `${width} ${scheme}, forced colours ${forced}`;
        // Axe judges the colours of the style sheet, although the browser has replaced them.
        const passOver = forced === "active" ? /^color-contrast:/ : undefined;
        await showOn(tab, width, scheme);
        const features = [
          { name: "prefers-color-scheme", value: scheme },
          { name: "forced-colors", value: forced },
        ];
        await askBrowser(tab, "Emulation.setEmulatedMedia", { features });
        await becomeClient(tab, ada.client);
        await network(3_000);
        await goTo(tab, `${stage.target.url}/account`);
        await visitor.until("a skeleton", isShown(".skeleton-line"));
        await expectNoBarrier(`${state}, loading`, passOver);
        await network(0);
        await visitor.says("Sign out everywhere");
        await expectNoBarrier(`${state}, at rest`, passOver);
        stage.rows.letPass(11 * minute);
        await visitor.press("Download");
        await visitor.until("the question", isShown("dialog[open]"));
        await expectNoBarrier(`${state}, a fresh proof`, passOver);
        await tab.press("Escape");
      }
      await showOn(tab, 1280, "light");
    });

    test("by the keyboard alone: every control is reached once, in its order, each with a ring", async () => {
      await shown.open(ada.client);
      const all = await visitor.ask(`(() => {
        const shown = (element) => element.checkVisibility() && !element.closest("dialog");
        globalThis.controls = [...document.querySelectorAll("a[href], button, input, select, summary")].filter(shown);
        controls[0].focus();
        return controls.length;
      })()`);
      const reached: unknown[] = [0];
      for (let step = 1; step < Number(all); step += 1) {
        await tab.press("Tab");
        const ring = await visitor.ask("getComputedStyle(document.activeElement).outline");
        reached.push(await visitor.ask("controls.indexOf(document.activeElement)"));
        expect([reached.at(-1), ring]).toEqual([reached.at(-1), expect.stringContaining("solid 2px")]);
      }
      expect(Number(all)).toBeGreaterThan(10);
      expect(reached).toEqual(Array.from({ length: Number(all) }, (_, index) => index));
    });

    async function expectNoBarrier(state: string, passOver?: RegExp): Promise<void> {
      const excess = await visitor.ask("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      const barriers = (await findBarriers(visitor)).filter((barrier) => passOver?.test(String(barrier)) !== true);
      expect({ state, excess, barriers }).toEqual({ state, excess: 0, barriers: [] });
    }
  },
);

import { afterAll, beforeAll, describe, test } from "bun:test";
import { minute } from "../../support/auth.ts";
import { arrives, browserMissing, type Front, goTo, openTab, startFront } from "../../support/chromium.ts";
import { signInAtProvider } from "../../support/oauth/account.form.ts";
import { startOf } from "../../support/oauth/journey.ts";
import { publicUrl, type StandIn } from "../../support/oauth/provider.ts";
import { startWorld, type Newcomer, type World } from "../../support/oauth/world.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

const { host } = new URL(publicUrl);

describe.skipIf(browserMissing !== undefined)(
  `providers on the account page in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let world: World;
    let front: Front;
    let tab: Bun.WebView;
    let visitor: Visitor;
    let ada: Newcomer;
    beforeAll(async () => {
      world = await startWorld({}, { shared: true });
      front = await startFront(host, world.target.port);
      tab = openTab({ [host]: front });
      visitor = await createVisitor(tab);
      ada = world.newcomer("ada", { name: "Ada Lovelace" });
      await goTo(tab, `${publicUrl}${startOf("google", { next: "/account" })}`);
      await signInAt(world.google);
    }, 120_000);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await front.stop();
      await world.stop();
    });

    async function signInAt(provider: StandIn): Promise<void> {
      await signInAtProvider(tab, provider, ada.account);
      await arrives(tab, (url) => url.origin === publicUrl && url.pathname === "/account");
    }

    /** Waits until these providers are linked, in the order of the page. */
    const isLinked = (...labels: readonly string[]): Promise<void> =>
      visitor.until(labels.join(), async () => {
        const found = `[...document.querySelectorAll("#identities [aria-label^='Unlink ']")].map((each) => each.ariaLabel)`;
        return (await visitor.ask(`${found}.join()`)) === labels.map((label) => `Unlink ${label}`).join();
      });
    const link = (label: string): Promise<unknown> =>
      visitor.ask(`document.querySelector("#identities [aria-label='Link ${label}']").click()`);

    test("the only way in stays; another one is linked, and then it goes", async () => {
      await isLinked("Google");
      await visitor.says("None: you sign in another way");
      await visitor.press("Unlink");
      await visitor.says("This is the only way in that you have, so it stays.");
      await link("GitHub");
      await signInAt(world.github);
      await isLinked("GitHub", "Google");
      await visitor.isOn("Other ways to sign in");
      // The page lists the identity that was linked first last.
      await visitor.press("Unlink");
      await visitor.says("Google is unlinked. You can no longer sign in with it.");
      await isLinked("GitHub");
    });

    test("without a password a fresh proof is a sign-in with a linked provider", async () => {
      world.rows.letPass(11 * minute);
      await link("Google");
      await visitor.says("It is a while since you signed in.");
      await tab.click("dialog a.provider");
      await signInAt(world.github);
      await isLinked("GitHub");
      // Google still knows the person, and leads back without a question.
      await link("Google");
      await isLinked("Google", "GitHub");
    });
  },
);

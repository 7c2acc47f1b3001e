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

    test("the only way in stays; another one is linked, and then it goes", async () => {
      await visitor.says("You can sign in with Google.");
      await visitor.says("You have no password");
      await visitor.press("Unlink");
      await visitor.says("This is the only way in that you have, so it stays.");
      await visitor.press("Link GitHub");
      await signInAt(world.github);
      await visitor.says("You can sign in with GitHub or Google.");
      await visitor.isOn("Other ways to sign in");
      // The page lists the identity that was linked first last.
      await visitor.press("Unlink");
      await visitor.says("Google is unlinked. You can no longer sign in with it.");
      await visitor.says("You can sign in with GitHub.");
    });

    test("without a password a fresh proof is a sign-in with a linked provider", async () => {
      world.rows.letPass(11 * minute);
      await visitor.press("Link Google");
      await visitor.says("It is a while since you signed in.");
      await tab.click("dialog a.provider");
      await signInAt(world.github);
      await visitor.says("You can sign in with GitHub.");
      // Google still knows the person, and leads back without a question.
      await visitor.press("Link Google");
      await visitor.says("You can sign in with Google or GitHub.");
    });
  },
);

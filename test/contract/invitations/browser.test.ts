import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hour } from "../../support/auth.ts";
import { askBrowser, browserMissing, type Front, goTo, openTab, startFront } from "../../support/chromium.ts";
import { signInAtProvider } from "../../support/oauth/account.form.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { startWorld, type World } from "../../support/oauth/world.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";
import { invitationKit, password } from "./invitation.fixture.ts";

const { host } = new URL(publicUrl);
type Kit = Awaited<ReturnType<typeof invitationKit>>;

// Registration is closed: invitations are the only way in.
describe.skipIf(browserMissing !== undefined)(
  `the page of an invitation in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let world: World;
    let kit: Kit;
    let front: Front;
    let visitor: Visitor;
    beforeAll(async () => {
      world = await startWorld({ AUTH_REGISTRATION_ENABLED: "false" });
      kit = await invitationKit(world);
      front = await startFront(host, world.target.port);
      visitor = await createVisitor(openTab({ [host]: front }));
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await front.stop();
      await world.stop();
    });

    const title = "You are invited to Gatehouse";
    const follow = (token: string, shown = title): Promise<void> =>
      visitor.open(`${publicUrl}/accept-invitation?token=${token}`, shown);
    const isIn = (): Promise<void> => visitor.arrivesAt(`${publicUrl}/account`);
    const account = (email: string) =>
      world.rows.get(
        "select display_name, roles, case when email_verified_at is null then 0 else 1 end as proven from users where email = ?",
        email,
      );

    /** Makes the browser forget that anybody has used it, here and at the provider. */
    async function forget(): Promise<void> {
      await goTo(visitor.tab, `${world.google.url}/nowhere`);
      await askBrowser(visitor.tab, "Network.clearBrowserCookies");
      await goTo(visitor.tab, "about:blank");
      await askBrowser(visitor.tab, "Storage.clearDataForOrigin", { origin: publicUrl, storageTypes: "local_storage" });
    }

    test("whoever was invited chooses a name and a password, and is in; the token leaves the address", async () => {
      const email = kit.address("ada");
      const token = await kit.invited(email, { display_name: "Ada", roles: ["editor"] });
      await follow(token);
      await visitor.says(`Your account gets the address ${email}.`);
      await visitor.isAt("/accept-invitation");
      await visitor.expectNoBarriers("invited");
      expect(await visitor.focused()).toBe("password");
      await visitor.fill("display_name", "Ada Lovelace");
      await visitor.fill("password", email);
      await visitor.tab.press("Enter");
      await visitor.says("Choose something other than your name");
      await visitor.fill("password", password);
      await visitor.tab.press("Enter");
      await isIn();
      expect(account(email)).toEqual({ display_name: "Ada Lovelace", roles: "editor", proven: 1 });

      await follow(token, "This invitation has been accepted");
      await visitor.expectNoBarriers("accepted");
      await visitor.press("Sign in");
      await visitor.says("You are signed in as Ada Lovelace.");
    });

    test("a link that has run out, was withdrawn or is none says so, and what to do", async () => {
      await forget();
      const [late, back] = [kit.address("late"), kit.address("back")];
      const [expired, withdrawn] = [await kit.invited(late, { days: 1 }), await kit.invited(back)];
      world.rows.letPass(25 * hour);
      await follow(expired, "This invitation has run out");
      await visitor.says("Ask whoever invited you for a new one.");
      await visitor.expectNoBarriers("expired");
      await kit.run("user:uninvite", back);
      await follow(withdrawn, "This invitation was withdrawn");
      await follow("A".repeat(43), "This link does not work");
      await goTo(visitor.tab, "about:blank");
      await visitor.open(`${publicUrl}/accept-invitation`, "This link is incomplete");
    });

    test("a link that is withdrawn while its page is open says so when it is used", async () => {
      await forget();
      const email = kit.address("ada");
      await follow(await kit.invited(email));
      await kit.run("user:uninvite", email);
      await visitor.fill("password", password);
      await visitor.tab.press("Enter");
      await visitor.shows("This invitation was withdrawn");
    });

    test("with a provider: refused there, the page is back, and what is chosen next works", async () => {
      await forget();
      const ada = world.newcomer("ada", { name: "Ada Lovelace" });
      const email = kit.address("work");
      await follow(await kit.invited(email, { roles: ["editor"] }));
      await visitor.press("Continue with Google");
      await signInAtProvider(visitor.tab, world.google, "nobody");
      await visitor.shows(title);
      await visitor.says("The sign-in was cancelled at the provider. Nothing has changed.");
      await visitor.isAt("/accept-invitation?oauth_error=oauth_denied");
      await visitor.expectNoBarriers("refused at the provider");
      await visitor.press("Continue with Google");
      await signInAtProvider(visitor.tab, world.google, ada.account);
      await isIn();
      expect(account(email)).toEqual({ display_name: "Ada Lovelace", roles: "editor", proven: 1 });
      expect(visitor.takeComplaints()).toEqual([]);
    });

    test("whoever has an account by now signs in and accepts with one click", async () => {
      await forget();
      const email = kit.address("ada");
      const token = await kit.invited(email, { roles: ["editor"] });
      // Somebody else has invited the address too, and that invitation was accepted first.
      world.rows.run("update auth_invitations set email_key = 'kept.aside@invited.test' where email = ?", email);
      await kit.accept(await kit.invited(email), { password, display_name: "Ada Lovelace" });
      world.rows.run("update auth_invitations set email_key = ? where email_key = 'kept.aside@invited.test'", email);
      await follow(token, "You have an account already");
      await visitor.expectNoBarriers("an account is there");
      await visitor.press("Sign in");
      await visitor.shows("Sign in");
      await visitor.fill("login", email);
      await visitor.fill("password", password);
      await visitor.tab.press("Enter");
      await visitor.shows(title);
      await visitor.says(`You are signed in as ${email}`);
      await visitor.expectNoBarriers("to be accepted by an account");
      expect(account(email)).toMatchObject({ roles: "" });
      await visitor.press("Accept the invitation");
      await isIn();
      expect(account(email)).toMatchObject({ roles: "editor" });
    });

    test("speaks German to whoever reads German", async () => {
      await forget();
      const token = await kit.invited(kit.address("ada"));
      await askBrowser(visitor.tab, "Network.setExtraHTTPHeaders", { headers: { "accept-language": "de" } });
      await follow(token, "Sie sind zu Gatehouse eingeladen");
      await visitor.expectNoBarriers("in German");
      await askBrowser(visitor.tab, "Network.setExtraHTTPHeaders", { headers: {} });
    });
  },
);

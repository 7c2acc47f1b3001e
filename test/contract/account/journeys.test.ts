import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, hour, nextMail } from "../../support/auth.ts";
import { askBrowser, browserMissing, type Front, goTo, openTab, startFront } from "../../support/chromium.ts";
import { signInAtProvider } from "../../support/oauth/account.form.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { startWorld, type World } from "../../support/oauth/world.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

const { host } = new URL(publicUrl);
const password = "a long walk by the sea";

// The service has its public https address, so that the tests can follow the links of its mails as they arrive.
describe.skipIf(browserMissing !== undefined)(
  `ways through the account pages in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    /** Another site, to which the service may lead back. */
    let shop: Bun.Server<undefined>;
    let world: World;
    let front: Front;
    let visitor: Visitor;
    let count = 0;
    beforeAll(async () => {
      shop = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: () => new Response("<h1>Your cart</h1>", { headers: { "content-type": "text/html" } }),
      });
      world = await startWorld({
        AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true",
        AUTH_ALLOWED_ORIGINS: shop.url.origin,
      });
      front = await startFront(host, world.target.port);
      visitor = await createVisitor(openTab({ [host]: front }));
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await front.stop();
      await world.stop();
      await shop.stop(true);
    });

    const open = (path: string, title: string): Promise<void> => visitor.open(`${publicUrl}${path}`, title);
    const newcomer = (): string => `ada${++count}@example.test`;
    const enter = (): Promise<void> => visitor.tab.press("Enter");

    /** Makes the browser forget that anybody has used it. */
    async function forget(): Promise<void> {
      await goTo(visitor.tab, "about:blank");
      await askBrowser(visitor.tab, "Network.clearBrowserCookies");
      await askBrowser(visitor.tab, "Storage.clearDataForOrigin", { origin: publicUrl, storageTypes: "local_storage" });
    }

    /** Resolves to the links of the next mail with that subject, in their order. */
    async function mailedLinks(to: string, subject: string): Promise<readonly string[]> {
      const { text } = await nextMail(world.mailbox, to, subject);
      return [...text.matchAll(/https:\S+token=\S+/g)].map(([link]) => link);
    }

    async function register(email: string): Promise<readonly string[]> {
      await open("/register", "Create an account");
      await visitor.fill("display_name", "Ada Lovelace");
      await visitor.fill("email", email);
      await visitor.fill("password", password);
      await enter();
      await visitor.shows("Look in your mail");
      return mailedLinks(email, "Verify your email");
    }

    /** Registers without the pages, and proves the address. */
    async function registered(): Promise<string> {
      const email = newcomer();
      const client = world.browser();
      await client.post(auth("register"), { email, password, display_name: "Ada Lovelace" });
      await nextMail(world.mailbox, email, "Verify your email");
      world.rows.run("update users set email_verified_at = created_at where email = ?", email);
      return email;
    }

    async function signIn(login: string, secret = password): Promise<void> {
      await visitor.fill("login", login);
      await visitor.fill("password", secret);
      await enter();
    }
    const isIn = (): Promise<void> => visitor.arrivesAt(`${publicUrl}/account`);

    test("a newcomer gives an address, proves it by the mailed link, and signs in", async () => {
      const email = newcomer();
      const [link = ""] = await register(email);
      await visitor.expectNoBarriers("the mail is on its way");
      await visitor.press("Go to the sign-in");
      await signIn(email);
      await visitor.shows("Verify your email first");
      await visitor.expectNoBarriers("not verified");
      const isVerified = (): unknown => world.rows.get("select email_verified_at from users where email = ?", email);
      for (const visit of ["first", "second"]) {
        await visitor.open(link, "Verify your email");
        expect([visit, isVerified()]).toEqual([visit, { email_verified_at: null }]);
      }
      await visitor.press("Verify the address");
      await visitor.shows("Your address is verified");
      await visitor.says(`${email} belongs to your account now.`);
      await visitor.expectNoBarriers("verified");
      await visitor.press("Go on");
      await visitor.shows("Sign in");
      await signIn(email);
      await isIn();
    });

    test("whoever gets the mail of a stranger's registration says so, and the stranger is out", async () => {
      await forget();
      const email = newcomer();
      const [link = "", reject = ""] = await register(email);
      await visitor.open(reject, "Was this not you?");
      await visitor.press("It was me: verify the address");
      await visitor.shows("Verify your email");
      await visitor.press("This was not me");
      await visitor.shows("Was this not you?");
      await visitor.press("It was not me");
      await visitor.shows("Thank you for telling us");
      await visitor.expectNoBarriers("rejected");
      await visitor.open(link, "This link does not work any more");
      await visitor.press("Sign in");
      await signIn(email);
      await visitor.says("This password does not belong to this email or user name.");
    });

    test("a forgotten password is replaced by the mailed link, once and in time", async () => {
      const email = await registered();
      await forget();
      async function ask(): Promise<string> {
        await open("/login", "Sign in");
        await visitor.press("Forgot password?");
        await visitor.shows("Forgot your password?");
        await visitor.fill("login", email);
        await enter();
        await visitor.shows("Look in your mail");
        const [link = ""] = await mailedLinks(email, "Reset your password");
        return link;
      }
      const choose = async (link: string): Promise<void> => {
        await visitor.open(link, "Choose a new password");
        await visitor.fill("new_password", "words of rain and sun");
        await enter();
      };
      const late = await ask();
      await visitor.expectNoBarriers("the link is on its way");
      world.rows.letPass(2 * hour);
      await visitor.open(late, "This link does not work any more");
      await visitor.press("Ask for a new link");
      await visitor.shows("Forgot your password?");
      const link = await ask();
      await choose(link);
      await visitor.shows("Your password is changed");
      await visitor.expectNoBarriers("reset");
      await visitor.press("Sign in");
      await signIn(email, "words of rain and sun");
      await isIn();
      await visitor.open(link, "This link does not work any more");
    });

    test("a person who never had a password chooses the first one by the mailed link", async () => {
      const email = await registered();
      world.rows.run("update users set password_hash = null where email = ?", email);
      await forget();
      await world.browser().post(auth("password-reset/request"), { login: email });
      const [link = ""] = await mailedLinks(email, "Choose your first password");
      await visitor.open(link, "Choose your first password");
      await visitor.expectNoBarriers("a first password");
      await visitor.fill("new_password", "words of rain and sun");
      await enter();
      await visitor.shows("Your password is set");
      await visitor.press("Sign in");
      await signIn(email, "words of rain and sun");
      await isIn();
    });

    test("whoever lost an address takes it back by the mail that went to it", async () => {
      const email = await registered();
      const client = world.browser();
      await client.post(auth("login"), { login: email, password });
      const stolen = newcomer();
      await client.post(auth("profile"), { email: stolen, current_password: password });
      const [proof = ""] = await mailedLinks(stolen, "Verify your email");
      await visitor.open(proof, "Verify your email");
      await visitor.press("Verify the address");
      await visitor.shows("Your address is verified");
      const [undo = ""] = await mailedLinks(email, "Your email address was changed");
      await visitor.open(undo, "Put your old address back");
      await visitor.expectNoBarriers("undo");
      await visitor.press("Put it back");
      await visitor.shows("Your old address is back");
      await visitor.expectNoBarriers("undone");
      await mailedLinks(email, "Reset your password");
      expect((await client.get(auth("me"))).status).toBe(401);
      await visitor.open(undo, "This link does not work any more");
    });

    async function signInWithGoogle(account: string): Promise<void> {
      await visitor.press("Continue with Google");
      await signInAtProvider(visitor.tab, world.google, account);
    }

    async function forgetProvider(): Promise<void> {
      await goTo(visitor.tab, `${world.google.url}/nowhere`);
      await askBrowser(visitor.tab, "Network.clearBrowserCookies");
      await forget();
    }

    test("a provider leads to the account, to another site, or back with what went wrong", async () => {
      const ada = world.newcomer("ada", { name: "Ada Lovelace" });
      await forgetProvider();
      await open("/login", "Sign in");
      await signInWithGoogle(ada.account);
      await isIn();

      await forgetProvider();
      await open(`/login?next=${encodeURIComponent(`${shop.url.origin}/cart?items=2`)}`, "Sign in");
      await visitor.says(`to go on to ${shop.url.host}`);
      await signInWithGoogle(ada.account);
      await visitor.arrivesAt(`${shop.url.origin}/cart?items=2`);

      await forgetProvider();
      await open("/login", "Sign in");
      await signInWithGoogle("nobody");
      await visitor.arrivesAt(`${publicUrl}/login?oauth_error=oauth_denied`);
      await visitor.says("The sign-in was cancelled at the provider. Nothing has changed.");
      await visitor.expectNoBarriers("refused at the provider");

      const email = await registered();
      await forgetProvider();
      await open("/login", "Sign in");
      await signInWithGoogle(world.newcomer("ada", { email }).account);
      await visitor.says("There is an account with this email already.");
      await signIn(email);
      await isIn();
    });

    test("U-05 a sign-in leads on to this service and to listed sites, and nowhere else", async () => {
      const email = await registered();
      const leads = async (next: string, to: string): Promise<void> => {
        await open(`/login?next=${encodeURIComponent(next)}`, "Sign in");
        await visitor.says("You are signed in as Ada Lovelace.");
        await visitor.press("Continue");
        await visitor.arrivesAt(to);
      };
      await forget();
      await open("/login?next=%2F-%2Fhealth", "Sign in");
      await signIn(email);
      await visitor.arrivesAt(`${publicUrl}/-/health`);
      await leads("/-/ready", `${publicUrl}/-/ready`);
      await leads(`${shop.url.origin}/cart`, `${shop.url.origin}/cart`);
      for (const hostile of [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "/\t/evil.example/",
        "javascript:document.title='taken'",
        `${shop.url.origin}@evil.example/`,
      ])
        await leads(hostile, `${publicUrl}/account`);
    });

    test("where a sign-in leads is kept on the way through the other pages, and said to whoever is signed in", async () => {
      const email = await registered();
      await forget();
      const way = `to go on to ${shop.url.host}`;
      await open(`/login?next=${encodeURIComponent(`${shop.url.origin}/cart`)}`, "Sign in");
      await visitor.press("Create one");
      await visitor.shows("Create an account");
      await visitor.press("Sign in");
      await visitor.says(way);
      await visitor.press("Forgot password?");
      await visitor.shows("Forgot your password?");
      await visitor.press("Back to the sign-in");
      await visitor.says(way);
      await signIn(email);
      await visitor.arrivesAt(`${shop.url.origin}/cart`);
      await open(`/login?next=${encodeURIComponent(`${shop.url.origin}/cart`)}`, "Sign in");
      await visitor.says("You are signed in as Ada Lovelace.");
      await visitor.says(way);
      await visitor.says(email);
      await visitor.expectNoBarriers("signed in");
    });

    test("U-01 no page on these ways did what its policy forbids, or asked another site for anything", () => {
      expect(visitor.takeComplaints()).toEqual([]);
      const origins = new Set(visitor.takeRequests().map((url) => new URL(url).origin));
      // People were led to the first two as pages, and the word null stands for an empty tab.
      for (const led of [world.google.url, shop.url.origin, "null"]) origins.delete(led);
      expect([...origins]).toEqual([publicUrl]);
    });
  },
);

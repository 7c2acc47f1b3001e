import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Person } from "../../support/auth.ts";
import { askBrowser, browserMissing, goTo } from "../../support/chromium.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { startApps, shopUrl, type Apps } from "../account/apps.fixture.ts";
import { form, type Registered } from "./idp.fixture.ts";

describe.skipIf(browserMissing !== undefined)(
  `the provider's pages in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let shown: Apps;
    let visitor: Apps["visitor"];
    let tab: Apps["tab"];
    let shop: Registered;
    let partner: Registered;
    let ada: Person;
    beforeAll(async () => {
      shown = await startApps();
      ({ visitor, tab } = shown);
      const { kit, world } = shown;
      shop = await kit.register("Shop", "--post-logout-uri", `${shopUrl}/bye`);
      partner = await kit.register(
        "Partner",
        "--third-party",
        "--scope=openid,profile,email,roles,offline_access",
        "--redirect-uri",
        `${shopUrl}/callback`,
        `--redirect-uri=${shopUrl}/moved`,
      );
      ada = await world.people.register("ada", { display_name: "Ada Lovelace" });
    }, 120_000);
    afterAll(() => shown.stop());
    beforeEach(async () => {
      await shown.forget();
      await shown.setLanguage("en");
      await visitor.open(`${publicUrl}/login`, "Sign in");
      await visitor.fill("login", ada.email);
      await visitor.fill("password", ada.password);
      await tab.press("Enter");
      await visitor.shows("Your account");
    });

    const all = { scope: "openid profile email roles offline_access" };
    /** Looks at a page in both languages; it is left in English. */
    async function lookAt(name: string, url: string, english: string, german: string): Promise<void> {
      await shown.setLanguage("de");
      await visitor.open(url, german);
      await shown.look(`${name}-de`);
      await shown.setLanguage("en");
      await visitor.open(url, english);
      await shown.look(name);
    }
    const setScripts = (isOff: boolean): Promise<unknown> =>
      askBrowser(tab, "Emulation.setScriptExecutionDisabled", { value: isOff });

    test("O-64 the question of a program of others, with its answer, and without a script", async () => {
      await lookAt("consent", shown.way(partner, all), "Let Partner in?", "Partner Zugang geben?");
      await visitor.press("Cancel");
      await visitor.shows("The shop was told: access_denied");
      await setScripts(true);
      await visitor.open(shown.way(partner, all), "Let Partner in?");
      await visitor.press("Allow");
      await visitor.shows("You are in the shop.");
      await setScripts(false);
      expect(visitor.takeComplaints()).toEqual([]);
    });

    test("O-64 an address of the program may lead on to another host", async () => {
      await visitor.open(
        shown.way(partner, { ...all, prompt: "consent", redirect_uri: `${shopUrl}/moved` }),
        "Let Partner in?",
      );
      await visitor.press("Allow");
      await visitor.shows("You are in the shop.");
      expect(await visitor.ask("location.host")).toBe("www.shop.example.test");
    });

    test("O-64 the question of a program that nobody has checked, with the longest names", async () => {
      const stranger = await shown.kit.register("Book-keeping and correspondence assistant for all people");
      const id = "https://assistant.a-rather-long-name-of-a-company.example.com/oauth/client.json";
      shown.world.rows.run(
        "update idp_clients set origin = 'document', fresh_until = 9e15, id = ? where id = ?",
        id,
        stranger.client_id,
      );
      const client = { client_id: id, client_secret: "" };
      await lookAt("consent-document", shown.way(client), "Let this app in?", "Dieser App Zugang geben?");
    });

    test("O-65 a page for who lacks the role, for an unknown app, and for what is over", async () => {
      const office = await shown.kit.register("Office", "--role", "clerk");
      await lookAt("no-role", shown.way(office), "You can't use Office", "Sie können Office nicht verwenden");
      await visitor.press("Back to the app");
      await visitor.shows("The shop was told: access_denied");
      const unknown = { client_id: "nobody", client_secret: "" };
      await lookAt("unknown", shown.way(unknown), "This app is not known here", "Diese App ist hier nicht bekannt");
      const over = `${publicUrl}/oauth2/authorize?${form({
        client_id: shop.client_id,
        request_uri: "urn:ietf:params:oauth:request_uri:over",
      })}`;
      await lookAt("over", over, "Begin again in the app", "Beginnen Sie in der App neu");
    });

    test("O-66 an answer as a form sends itself, and by a button where no script runs", async () => {
      const way = shown.way(shop, { response_mode: "form_post" });
      await goTo(tab, way);
      await visitor.shows("You are in the shop.");
      await setScripts(true);
      await visitor.open(way, "One moment");
      await askBrowser(tab, "Emulation.setScriptExecutionDisabled", { value: false });
      await shown.look("sending");
      await visitor.press("Go on");
      await visitor.shows("You are in the shop.");
      expect(visitor.takeComplaints()).toEqual([]);
    });

    test("O-76 a device is let in without a script: its code is typed, its question answered", async () => {
      const flags = ["--type", "native", "--redirect-uri", "tv.example.test:/done"];
      const television = await shown.kit.register("Television", ...flags);
      const guest = await shown.kit.register("Guest", ...flags, "--third-party");
      const begin = async ({ client_id }: Registered): Promise<string> =>
        (await shown.kit.call("/oauth2/device_authorization", { client_id, ...all, scope: "openid email" })).textAt(
          "user_code",
        );
      const code = await begin(television);
      const complete = (of: string): string => `${publicUrl}/device?user_code=${of}`;
      await setScripts(true);
      await visitor.open(complete("BCDF"), "Sign a device in");
      await visitor.press("Continue");
      await visitor.says("No device waits for this code");
      await askBrowser(tab, "Emulation.setScriptExecutionDisabled", { value: false });
      await shown.look("device-wrong");
      await lookAt("device", `${publicUrl}/device`, "Sign a device in", "Ein Gerät anmelden");
      for (const [name, of, language, goOn, title] of [
        ["device-ask", code, "en", "Continue", "Let Television in?"],
        ["device-ask-de", code, "de", "Weiter", "Television Zugang geben?"],
        ["device-guest", await begin(guest), "en", "Continue", "Let Guest in?"],
      ] as const) {
        await shown.setLanguage(language);
        await visitor.open(complete(of), language === "en" ? "Sign a device in" : "Ein Gerät anmelden");
        if (language === "en") await visitor.says("Go on if your device shows this very code.");
        await visitor.press(goOn);
        await visitor.shows(title);
        await shown.look(name);
      }
      await visitor.press("Allow");
      await visitor.shows("Your device is signed in");
      await shown.look("device-allowed");
      expect(visitor.takeComplaints()).toEqual([]);
    });

    test("O-67 signing out asks, says that it is done, and says what can't be read", async () => {
      const wrong = `${publicUrl}/oauth2/logout?id_token_hint=none`;
      await lookAt("bad-sign-out", wrong, "This sign-out can't be read", "Diese Abmeldung ist nicht lesbar");
      const leave = `${publicUrl}/oauth2/logout?${form({ client_id: shop.client_id })}`;
      await lookAt("sign-out", leave, "Sign out?", "Abmelden?");
      await visitor.press("Sign out");
      await visitor.shows("You have signed out");
      await lookAt("signed-out", leave, "You have signed out", "Sie sind abgemeldet");
    });
  },
);

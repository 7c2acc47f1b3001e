import { afterEach, describe, expect, test } from "bun:test";
import { auth, expectRefusal, mailedToken } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { approve, begin, deliver, signInWith } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";

const world = await stageWorld();
const { people } = world;
afterEach(() => {
  world.github.emails.clear();
});

const me = async (browser: Client, field: string) => (await browser.get(auth("me"))).at(`user.${field}`);
const idOf = async (browser: Client) => (await browser.get(auth("me"))).textAt("user.id");

describe("a new user", () => {
  test("F-18 has no password that works, and sets a first one through the reset flow", async () => {
    const ada = world.newcomer("ada");
    const browser = world.browser();
    await signInWith(browser, world.google, ada.account);
    expect(await me(browser, "has_password")).toBe(false);
    const id = await idOf(browser);
    expect(world.rows.get("select password_hash from users where id = ?", id)).toEqual({ password_hash: null });
    const grace = await people.register("grace");
    const wrong = await world.browser().post(auth("login"), { login: grace.email, password: "not the password" });
    for (const password of ["null", "undefined", "a password", id, ada.email]) {
      const answer = await world.browser().post(auth("login"), { login: ada.email, password });
      expect({ status: answer.status, code: answer.at("code") }).toEqual({ status: 401, code: wrong.at("code") });
      world.rows.forgive();
    }
    const body = { current_password: "", new_password: "a walk in the hills" };
    expect((await browser.post(auth("change-password"), body)).status).toBe(401);
    world.rows.forgive();

    await browser.post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(world.mailbox, ada.email, "Choose your first password");
    const password = "a first walk by the sea";
    expect((await browser.post(auth("password-reset/confirm"), { token, new_password: password })).status).toBe(200);
    const loggedIn = await browser.post(auth("login"), { login: ada.email, password });
    expect(loggedIn.at("user.has_password")).toBe(true);
    expect(loggedIn.at("user.id")).toBe(id);
    expect((await signInWith(world.browser(), world.google, ada.account)).status).toBe(303);
  });

  test("gets the provider's name, or a number behind it when that is taken", async () => {
    const grace = await people.register("grace");
    const taken: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      const browser = world.browser();
      const { account } = world.newcomer("other", { login: grace.username });
      expect((await signInWith(browser, world.github, account)).status).toBe(303);
      taken.push(String(await me(browser, "username")));
    }
    expect(taken.slice(0, 4)).toEqual([2, 3, 4, 5].map((number) => `${grace.username}${number}`));
    expect(new Set(taken).size).toBe(8);
    for (const username of taken.slice(4)) expect(username).toMatch(new RegExp(`^${grace.username}\\d+$`));
  });

  test.each([
    ["", /^[a-z]+\d+$/],
    ["--", /^[a-z]+\d+$/],
    ["<script>alert(1)</script>", /^scriptalert1script/],
    ["ada@elsewhere.test", /^adaelsewhere\.test/],
    ["x".repeat(300), /^x{48}/],
    ["\u202Egnp.exe", /^gnp\.exe/],
    ["Ａｄａ", /^Ada/],
    ["admin\u0000\r\n", /^admin/],
  ])("with the name %j there is given one that fits", async (login, expected) => {
    const browser = world.browser();
    const { account } = world.newcomer("odd", { login, name: "Ada\r\nBcc: x\u0000" });
    expect((await signInWith(browser, world.github, account)).status).toBe(303);
    expect(String(await me(browser, "username"))).toMatch(expected);
    expect(await me(browser, "display_name")).toBe("Ada Bcc: x");
  });

  test("with no name at all is named by the address", async () => {
    const ada = world.newcomer("ada");
    const browser = world.browser();
    await signInWith(browser, world.apple, ada.account);
    expect(await me(browser, "username")).toBe(ada.account);
    expect(await me(browser, "display_name")).toBe(ada.account);
  });

  test.each(["google", "apple", "acme-login"] as const)(
    "of %s whose address is not verified there has to verify it here",
    async (name) => {
      const ada = world.newcomer("ada", { emailVerified: false });
      const browser = world.browser();
      expect((await signInWith(browser, world[name], ada.account)).status).toBe(303);
      expect(await me(browser, "email_verified_at")).toBeNull();
      const token = await mailedToken(world.mailbox, ada.email, "Verify your email");
      expect((await browser.post(auth("email-verification/confirm"), { token })).status).toBe(200);
      expect(await me(browser, "email_verified_at")).toBeString();
    },
  );

  test("of Microsoft is verified only where the tenant has proven the address's domain", async () => {
    const word = world.newcomer("ada", { emailVerified: false });
    const proven = world.newcomer("ada", { emailVerified: true });
    const [first, second] = [world.browser(), world.browser()];
    await signInWith(first, world.microsoft, word.account);
    await signInWith(second, world.microsoft, proven.account);
    expect(await me(first, "email_verified_at")).toBeNull();
    expect(await me(second, "email_verified_at")).toBeString();
  });

  test("of GitHub has the address that is primary and verified, and without one is none", async () => {
    const entry = (email: string, primary: boolean, verified: boolean) => ({
      email,
      primary,
      verified,
      visibility: null,
    });
    const ada = world.newcomer("ada");
    world.github.emails.set(ada.subject, [
      entry("first@people.test", false, true),
      entry("unverified@people.test", true, false),
    ]);
    const missing = await signInWith(world.browser(), world.github, ada.account);
    expectRefusal(missing, 403, "the provider gave no usable email address", "oauth_email_missing");
    expect(world.rows.count("auth_identities where subject = ? and provider = 'github'", ada.subject)).toBe(0);
    const others = Array.from({ length: 40 }, (_, index) => entry(`${index}@people.test`, false, true));
    world.github.emails.set(ada.subject, [...others, entry(ada.email, true, true)]);
    const browser = world.browser();
    await signInWith(browser, world.github, ada.account);
    expect(await me(browser, "email")).toBe(ada.email);
  });

  test("C-33 with an address of look-alike letters is none, whether or not the plain one has an account", async () => {
    const grace = await people.register("grace");
    for (const email of [
      grace.email.replace("g", "\uff47"),
      "\u{1d41a}nybody@people.test",
      "anybod\u24e8@people.test",
    ]) {
      const { account } = world.newcomer("stranger", { email });
      const answer = await signInWith(world.browser(), world.google, account);
      expect([answer.status, answer.at("code")]).toEqual([403, "oauth_email_missing"]);
    }
  });

  test("C-33 with letters in a form that is not the canonical one gets them in that form", async () => {
    const { account } = world.newcomer("ada", { email: "\u212aelvin.re\u0301ne@people.test" });
    const browser = world.browser();
    expect((await signInWith(browser, world.google, account)).status).toBe(303);
    expect(await me(browser, "email")).toBe("Kelvin.r\u00e9ne@people.test");
  });

  test.each(["", "not an address", "a@b", '"quoted"@people.test', "two@@people.test"])(
    "with the address %j is none",
    async (email) => {
      const { account } = world.newcomer("ada", { email });
      const answer = await signInWith(world.browser(), world.google, account);
      expect([answer.status, answer.at("code")]).toEqual([403, "oauth_email_missing"]);
    },
  );

  test("of Apple: the address that its page posts beside the token is not believed", async () => {
    const grace = await people.register("grace");
    const ada = world.newcomer("ada", { name: "Ada Lovelace" });
    const browser = world.browser();
    const callback = await approve(world.apple, await begin(browser, world.apple), ada.account);
    callback.params.set("user", JSON.stringify({ name: { firstName: "<b>Ada" }, email: grace.email, sub: grace.id }));
    expect((await deliver(browser, callback)).status).toBe(303);
    expect(await me(browser, "email")).toBe(ada.email);
    expect(await me(browser, "display_name")).toBe("<b>Ada");
    for (const user of ["", "null", "[]", "{", '{"name":7}', '{"name":{"firstName":{}}}']) {
      const other = world.newcomer("ada");
      const fresh = world.browser();
      const posted = await approve(world.apple, await begin(fresh, world.apple), other.account);
      posted.params.set("user", user);
      expect((await deliver(fresh, posted)).status).toBe(303);
      expect(await me(fresh, "display_name")).toBe(other.account);
    }
  });
});

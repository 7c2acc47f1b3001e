import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, isServed, mailedToken, minute, nextMail } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { approve, begin, deliver, signInWith } from "../../support/oauth/journey.ts";
import { stageWorld, startWorld } from "../../support/oauth/world.ts";
import { providerNames } from "../../support/oauth/provider.ts";

const world = await stageWorld();
const { people } = world;

const names = providerNames;
const me = async (browser: Client, field: string) => (await browser.get(auth("me"))).at(`user.${field}`);
const idOf = async (browser: Client) => (await browser.get(auth("me"))).textAt("user.id");
const linkRequired = [
  409,
  "an account with this email exists: sign in to it and link the provider",
  "identity_link_required",
] as const;

describe("F-06 who it is", () => {
  test("is provider and subject: the same subject at two providers is two people", async () => {
    const ada = world.newcomer("ada");
    const browser = world.browser();
    await signInWith(browser, world.google, ada.account);
    const grace = world.newcomer("grace", { subject: ada.subject });
    const other = world.browser();
    world.apple.accounts.delete(ada.account);
    expect((await signInWith(other, world.apple, grace.account)).status).toBe(303);
    expect(await idOf(other)).not.toBe(await idOf(browser));
  });

  test.each(names)("is the subject at %s, whatever becomes of the address there or here", async (name) => {
    const ada = world.newcomer("ada");
    const browser = world.browser();
    await signInWith(browser, world[name], ada.account);
    const id = await idOf(browser);
    const account = world[name].accounts.get(ada.account);
    world[name].accounts.set(ada.account, {
      subject: ada.subject,
      emailVerified: true,
      ...account,
      email: `moved-${ada.email}`,
    });
    const again = world.browser();
    await signInWith(again, world[name], ada.account);
    expect(await idOf(again)).toBe(id);
    expect(await me(again, "email")).toBe(ada.email);
    world.rows.run("update users set email = 'x@y.test', email_key = ? where id = ?", `${id}@y.test`, id);
    const third = world.browser();
    await signInWith(third, world[name], ada.account);
    expect(await idOf(third)).toBe(id);
  });
});

describe.each(names)("F-07 an address that has an account here, at %s", (name) => {
  test("links nothing and signs in to nothing, verified or not", async () => {
    for (const verified of [false, true]) {
      const grace = await people.register("grace");
      if (verified) world.rows.run("update users set email_verified_at = 1 where id = ?", grace.id);
      const { account } = world.newcomer("stranger", { email: grace.email });
      const browser = world.browser();
      const before = world.rows.count("auth_sessions");
      const answer = await signInWith(browser, world[name], account);
      expectRefusal(answer, ...linkRequired);
      expect(answer.setCookies).toEqual([]);
      expect(world.rows.count("auth_identities where user_id = ?", grace.id)).toBe(0);
      expect(world.rows.count("auth_sessions")).toBe(before);
      expect(await isServed(browser)).toBe(false);
      expect(await isServed(grace.client)).toBe(true);
    }
  });

  test("is the same address in any spelling", async () => {
    const grace = await people.register("grace");
    const spelt = grace.email.toUpperCase().replace("@EXAMPLE.TEST", "@ｅxample。TEST");
    const { account } = world.newcomer("stranger", { email: spelt });
    expectRefusal(await signInWith(world.browser(), world[name], account), ...linkRequired);
  });

  test("belongs to whoever came first through another provider as well", async () => {
    const ada = world.newcomer("ada");
    const first = name === "google" ? world.github : world.google;
    await signInWith(world.browser(), first, ada.account);
    expectRefusal(await signInWith(world.browser(), world[name], ada.account), ...linkRequired);
  });
});

describe("F-08 an address registered by somebody else before its owner came", () => {
  test("never gets what the owner uses: not by password, not by session, not by what was linked to it", async () => {
    const victim = world.newcomer("victim");
    const attacker = await people.register("attacker", { email: victim.email });
    const thief = world.newcomer("thief");
    await signInWith(attacker.client, world.github, thief.account, { link: true });
    expect(world.rows.count("auth_identities where user_id = ?", attacker.id)).toBe(1);
    const inFlight = await begin(attacker.client, world.microsoft, { link: true });
    const trap = await approve(world.microsoft, inFlight, thief.account);

    const browser = world.browser();
    expectRefusal(await signInWith(browser, world.google, victim.account), ...linkRequired);
    expect(await isServed(browser)).toBe(false);

    // The owner proves the address by the reset mail, and from then on has the account alone.
    await browser.post(auth("password-reset/request"), { login: victim.email });
    const token = await mailedToken(world.mailbox, victim.email, "Reset your password");
    const password = "the owner walks by the sea";
    const reset = await browser.post(auth("password-reset/confirm"), { token, new_password: password });
    expect(reset.status).toBe(200);
    const loggedIn = await browser.post(auth("login"), { login: victim.email, password });
    expect(loggedIn.status).toBe(200);
    expect(await me(browser, "email_verified_at")).toBeString();
    expect((await browser.get(auth("identities"))).at("identities")).toEqual([]);

    expect(await isServed(attacker.client)).toBe(false);
    const again = await world.browser().post(auth("login"), { login: victim.email, password: attacker.password });
    expect(again.status).toBe(401);
    expect((await deliver(attacker.client, trap)).status).toBe(401);
    const byGitHub = world.browser();
    expect((await signInWith(byGitHub, world.github, thief.account)).status).toBe(303);
    expect(await idOf(byGitHub)).not.toBe(attacker.id);

    const linked = await signInWith(browser, world.google, victim.account, { link: true });
    expect(linked.status).toBe(303);
    const byGoogle = world.browser();
    expect((await signInWith(byGoogle, world.google, victim.account)).status).toBe(303);
    expect(await idOf(byGoogle)).toBe(attacker.id);
  });

  test("through a provider that vouches for no address loses that way in when the owner resets the password", async () => {
    const victim = world.newcomer("victim");
    const { account } = world.newcomer("thief", { email: victim.email, emailVerified: false });
    const thief = world.browser();
    expect((await signInWith(thief, world.microsoft, account)).status).toBe(303);
    expect(await me(thief, "email_verified_at")).toBeNull();
    await world.browser().post(auth("password-reset/request"), { login: victim.email });
    const token = await mailedToken(world.mailbox, victim.email, "Choose your first password");
    await world.browser().post(auth("password-reset/confirm"), { token, new_password: "the owner walks by the sea" });
    expect(await isServed(thief)).toBe(false);
    expectRefusal(await signInWith(thief, world.microsoft, account), ...linkRequired);
  });

  test("a reset of an account whose address is proven leaves its links alone", async () => {
    const ada = world.newcomer("ada");
    await signInWith(world.browser(), world.google, ada.account);
    await world.browser().post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(world.mailbox, ada.email, "Choose your first password");
    await world.browser().post(auth("password-reset/confirm"), { token, new_password: "a walk in the hills" });
    expect((await signInWith(world.browser(), world.google, ada.account)).status).toBe(303);
  });
});

describe("one of two", () => {
  test("callbacks of one new subject at the same time make one user, and both are signed in", async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = world.newcomer("ada");
      const browsers = Array.from({ length: 8 }, () => world.browser());
      const callbacks = await Promise.all(
        browsers.map(async (browser) => approve(world.github, await begin(browser, world.github), ada.account)),
      );
      const answers = await Promise.all(
        callbacks.map((callback, index) => deliver(browsers[index] ?? world.browser(), callback)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
      expect(new Set(await Promise.all(browsers.map(idOf))).size).toBe(1);
      expect(world.rows.count("auth_identities where subject = ? and provider = 'github'", ada.subject)).toBe(1);
    }
  });

  test("providers with one address at the same time: the first has it, the others are told to link", async () => {
    const ada = world.newcomer("ada");
    const browsers = names.map((name) => ({ name, browser: world.browser() }));
    const callbacks = await Promise.all(
      browsers.map(async ({ name, browser }) => approve(world[name], await begin(browser, world[name]), ada.account)),
    );
    const answers = await Promise.all(
      callbacks.map((callback, index) => deliver(browsers[index]?.browser ?? world.browser(), callback)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...names.slice(1).map(() => 409)]);
    expect(world.rows.count("users where email_key = ?", ada.email)).toBe(1);
  });
});

test("a deactivated user is refused by every provider, and no session is opened", async () => {
  const ada = world.newcomer("ada");
  const browser = world.browser();
  await signInWith(browser, world.google, ada.account);
  world.rows.run("update users set active = 0 where id = ?", await idOf(browser));
  const before = world.rows.count("auth_sessions");
  const answer = await signInWith(world.browser(), world.google, ada.account);
  expectRefusal(answer, 403, "account is inactive", "account_inactive");
  expect(answer.setCookies).toEqual([]);
  expect(world.rows.count("auth_sessions")).toBe(before);
});

test("where addresses must be verified, an unverified one waits for its mail", async () => {
  const strict = await startWorld({ AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" });
  try {
    const { rows } = strict;
    const [ada, grace] = [strict.newcomer("ada", { emailVerified: false }), strict.newcomer("grace")];
    for (let time = 0; time < 2; time += 1) {
      const refused = await signInWith(strict.browser(), strict.google, ada.account);
      expectRefusal(refused, 403, "email not verified", "email_not_verified");
      expect(refused.setCookies).toEqual([]);
      await nextMail(strict.mailbox, ada.email, "Verify your email");
      rows.letPass(6 * minute);
    }
    expect(rows.count("users where email_key = ?", ada.email)).toBe(1);
    expect(rows.count("auth_sessions")).toBe(0);
    rows.run("update users set email_verified_at = 1 where email_key = ?", ada.email);
    expect((await signInWith(strict.browser(), strict.google, ada.account)).status).toBe(303);
    expect((await signInWith(strict.browser(), strict.google, grace.account)).status).toBe(303);
  } finally {
    await strict.stop();
  }
});

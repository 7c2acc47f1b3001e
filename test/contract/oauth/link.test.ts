import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, isServed, mailedToken, nextMail } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { approve, begin, deliver, routeOf, signInWith, startOf, type Callback } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { providerNames } from "../../support/oauth/provider.ts";

const world = await stageWorld();
const { people } = world;

const names = providerNames;
const link = { link: true, next: "/account" };
const idOf = async (browser: Client) => (await browser.get(auth("me"))).textAt("user.id");
const linkedTo = (userId: string): number => world.rows.count("auth_identities where user_id = ?", userId);

async function identitiesOf(browser: Client): Promise<ReadonlyMap<string, unknown>[]> {
  const identities = (await browser.get(auth("identities"))).at("identities");
  if (!Array.isArray(identities)) throw new Error("no identities");
  return identities.map((identity: unknown) => new Map<string, unknown>(Object.entries(Object(identity))));
}

const unlink = (browser: Client, id: unknown) => browser.post(auth(`identities/${String(id)}/unlink`));

/** Sends a signed-in browser to the provider and back. The answer has not been delivered yet. */
async function linking(browser: Client, name: (typeof names)[number], account: string): Promise<Callback> {
  return approve(world[name], await begin(browser, world[name], link), account);
}

describe.each(names)("F-09 linking %s", (name) => {
  test("adds the identity to the user of the session, who then signs in with it and gets a notice", async () => {
    const grace = await people.register("grace");
    world.rows.prove(grace);
    const at = world.newcomer("hopper");
    const session = grace.client.cookie("auth_refresh");
    const answer = await signInWith(grace.client, world[name], at.account, link);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/account"]);
    expect(answer.setCookies).toEqual([]);
    expect(grace.client.cookie("auth_refresh")).toBe(session);
    const [identity, ...others] = await identitiesOf(grace.client);
    expect(others).toEqual([]);
    expect(identity?.get("provider")).toBe(name);
    expect(identity?.get("email")).toBe(at.email);
    expect(identity?.get("linked_at")).toMatch(/Z$/);
    expect(identity?.get("last_login_at")).toBeNull();
    expect([...(identity?.keys() ?? [])].toSorted()).toEqual(
      ["id", "provider", "label", "email", "username", "linked_at", "last_login_at"].toSorted(),
    );
    const notice = await nextMail(world.mailbox, grace.email, "A sign-in was linked to your account");
    const label = {
      github: "GitHub",
      google: "Google",
      microsoft: "Microsoft",
      apple: "Apple",
      "acme-login": "Acme Login",
    }[name];
    expect(notice.text).toContain(`${label} was linked to your account`);
    expect(identity?.get("label")).toBe(label);

    const browser = world.browser();
    expect((await signInWith(browser, world[name], at.account)).status).toBe(303);
    expect(await idOf(browser)).toBe(grace.id);
    expect((await identitiesOf(browser))[0]?.get("last_login_at")).toMatch(/Z$/);
  });

  test("needs a session to begin", async () => {
    const before = world.rows.count("oauth_states");
    expectRefusal(await world.browser().get(startOf(name, link)), 401, "unauthorized", "unauthorized");
    expect(world.rows.count("oauth_states")).toBe(before);
  });

  test("needs the same session to end", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const { account } = world.newcomer("lovelace");
    const ends: readonly ((browser: Client) => Promise<void>)[] = [
      // Somebody else has signed in meanwhile.
      async (browser) => void (await browser.post(auth("login"), { login: grace.email, password: grace.password })),
      // Nobody is signed in any more.
      async (browser) => void (await browser.post(auth("logout"))),
      // The user has signed in again, in another session.
      async (browser) => void (await browser.post(auth("login"), { login: ada.email, password: ada.password })),
    ];
    for (const end of ends) {
      const browser = await ada.login();
      const callback = await linking(browser, name, account);
      await end(browser);
      const answer = await deliver(browser, callback, { posted: false });
      expectRefusal(answer, 401, "invalid oauth state", "invalid_oauth_state");
      expect(linkedTo(ada.id) + linkedTo(grace.id)).toBe(0);
    }
  });

  test("in another browser is refused, even where the same user is signed in there", async () => {
    const ada = await people.register("ada");
    const { account } = world.newcomer("lovelace");
    const callback = await linking(await ada.login(), name, account);
    const other = await ada.login();
    expect((await deliver(other, callback)).status).toBe(401);
    expect(linkedTo(ada.id)).toBe(0);
  });

  test("an identity that is somebody else's is refused, one's own changes nothing", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const { account } = world.newcomer("lovelace");
    await signInWith(ada.client, world[name], account, link);
    const answer = await signInWith(grace.client, world[name], account, link);
    expectRefusal(answer, 409, "identity already linked to another account", "identity_already_linked");
    expect(linkedTo(grace.id)).toBe(0);
    expect((await signInWith(ada.client, world[name], account, link)).status).toBe(303);
    expect(linkedTo(ada.id)).toBe(1);
  });

  test("never signs anybody in: its state makes no session", async () => {
    const ada = await people.register("ada");
    const before = world.rows.count("auth_sessions");
    await signInWith(ada.client, world[name], world.newcomer("lovelace").account, link);
    expect(world.rows.count("auth_sessions")).toBe(before);
  });
});

describe("F-09 a linking", () => {
  test("that a page of another site began is refused", async () => {
    const { client } = await people.register("ada");
    const before = world.rows.count("oauth_states");
    for (const site of ["cross-site", "same-site"]) {
      const answer = await client.get(startOf("google", link), { headers: { "sec-fetch-site": site } });
      expectRefusal(answer, 403, "cross-site request refused", "cross_site_request");
    }
    expect(world.rows.count("oauth_states")).toBe(before);
    for (const site of ["same-origin", "none"]) {
      expect((await client.get(startOf("google", link), { headers: { "sec-fetch-site": site } })).status).toBe(302);
    }
  });

  test("F-17 ends by form as well: the browser keeps the session cookies from it, and is asked to come again", async () => {
    const ada = await people.register("ada");
    const callback = await linking(ada.client, "apple", world.newcomer("lovelace").account);
    expect(callback.posted).toBe(true);
    // With a form of another site, a browser sends only cookies with SameSite=None.
    const cookie = `__Host-auth_oauth_form=${ada.client.cookie("__Host-auth_oauth_form")}`;
    const posted = await deliver(ada.client, callback, { headers: { cookie } });
    expect(posted.status).toBe(303);
    const again = new URL(posted.headers.get("location") ?? "", "https://gatehouse.example.test");
    expect(again.pathname).toBe(routeOf("apple", "callback"));
    expect([...again.searchParams.keys()].toSorted()).toEqual(
      [...callback.params.keys()].filter((key) => key !== "user").toSorted(),
    );
    const location = `${again.pathname}${again.search}`;
    const answer = await ada.client.get(location);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/account"]);
    expect(linkedTo(ada.id)).toBe(1);
    expect((await ada.client.get(location)).status).toBe(401);
  });

  test("by form without a session, however it comes, links nothing", async () => {
    const ada = await people.register("ada");
    const callback = await linking(ada.client, "apple", world.newcomer("lovelace").account);
    const cookie = `__Host-auth_oauth_form=${ada.client.cookie("__Host-auth_oauth_form")}`;
    const posted = await deliver(ada.client, callback, { headers: { cookie } });
    expect((await ada.client.get(posted.headers.get("location") ?? "", { headers: { cookie } })).status).toBe(401);
    expect((await deliver(ada.client, callback)).status).toBe(401);
    expect(linkedTo(ada.id)).toBe(0);
  });

  test("at the same time in two accounts goes to one of them", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { account } = world.newcomer("lovelace");
      const pair = [await people.register("ada"), await people.register("grace")];
      const callbacks = await Promise.all(pair.map(({ client }) => linking(client, "github", account)));
      const answers = await Promise.all(
        callbacks.map((callback, index) => deliver(pair[index]?.client ?? world.browser(), callback)),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
      expect(pair.reduce((sum, { id }) => sum + linkedTo(id), 0)).toBe(1);
    }
  });

  test("while the session is being ended links only when it was first", async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = await people.register("ada");
      const callback = await linking(ada.client, "github", world.newcomer("lovelace").account);
      const [answer] = await Promise.all([deliver(ada.client.copy(), callback), ada.client.post(auth("logout"))]);
      expect([303, 401]).toContain(answer.status);
      expect(linkedTo(ada.id)).toBe(answer.status === 303 ? 1 : 0);
    }
  });
});

describe("unlinking", () => {
  test("takes the identity away, and tells the user", async () => {
    const grace = await people.register("grace");
    world.rows.prove(grace);
    const { account } = world.newcomer("hopper");
    await signInWith(grace.client, world.google, account, link);
    const [identity] = await identitiesOf(grace.client);
    const answer = await unlink(grace.client, identity?.get("id"));
    expect([answer.status, answer.json]).toEqual([200, { ok: true }]);
    expect(await identitiesOf(grace.client)).toEqual([]);
    const notice = await nextMail(world.mailbox, grace.email, "A sign-in was unlinked from your account");
    expect(notice.text).toContain("Google was unlinked from your account");
    const browser = world.browser();
    await signInWith(browser, world.google, account);
    expect(await idOf(browser)).not.toBe(grace.id);
    expect(await isServed(grace.client)).toBe(true);
  });

  test("C-13 of another's identity and of none look the same, and change nothing", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    await signInWith(ada.client, world.google, world.newcomer("lovelace").account, link);
    const [identity] = await identitiesOf(ada.client);
    for (const id of [identity?.get("id"), crypto.randomUUID(), "x", "__proto__", "' or 1=1 --"]) {
      expectRefusal(await unlink(grace.client, id), 404, "identity not found", "identity_not_found");
    }
    expectRefusal(await unlink(world.browser(), identity?.get("id")), 401, "unauthorized", "unauthorized");
    expect(linkedTo(ada.id)).toBe(1);
  });

  test("F-10 the last way in stays", async () => {
    const ada = world.newcomer("ada");
    const browser = world.browser();
    await signInWith(browser, world.google, ada.account);
    const [identity] = await identitiesOf(browser);
    const answer = await unlink(browser, identity?.get("id"));
    expectRefusal(answer, 409, "the last way to sign in can't be removed", "last_auth_method");
    expect((await signInWith(world.browser(), world.google, ada.account)).status).toBe(303);

    await browser.post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(world.mailbox, ada.email, "Choose your first password");
    const password = "a first walk by the sea";
    await browser.post(auth("password-reset/confirm"), { token, new_password: password });
    await browser.post(auth("login"), { login: ada.email, password });
    expect((await unlink(browser, identity?.get("id"))).status).toBe(200);
  });

  test("F-10 of two that are unlinked at the same time one stays", async () => {
    for (let round = 0; round < 10; round += 1) {
      const ada = world.newcomer("ada");
      const browser = world.browser();
      await signInWith(browser, world.google, ada.account);
      await signInWith(browser, world.github, ada.account, link);
      const pair = await identitiesOf(browser);
      expect(pair).toHaveLength(2);
      const answers = await Promise.all(pair.map((identity) => unlink(browser.copy(), identity.get("id"))));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(await identitiesOf(browser)).toHaveLength(1);
    }
  });

  test("F-10 an identity of a provider that is no longer in use is no way in", async () => {
    const ada = world.newcomer("ada");
    const browser = world.browser();
    await signInWith(browser, world.google, ada.account);
    const id = await idOf(browser);
    world.rows.run(
      "insert into auth_identities values (?, ?, 'facebook', 'https://facebook.example', '1', null, null, 1, null)",
      crypto.randomUUID(),
      id,
    );
    const identities = await identitiesOf(browser);
    const google = identities.find((identity) => identity.get("provider") === "google");
    expect((await unlink(browser, google?.get("id"))).status).toBe(409);
    const facebook = identities.find((identity) => identity.get("provider") === "facebook");
    expect((await unlink(browser, facebook?.get("id"))).status).toBe(200);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  auth,
  calm,
  createPeople,
  expectRefusal,
  isServed,
  mailedToken,
  hour,
  minute,
  type Person,
} from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { approve, begin, deliver, routeOf, signInWith } from "../../support/oauth/journey.ts";
import { startWorld, type World } from "../../support/oauth/world.ts";
import { openRows } from "../../support/rows.ts";
import { startTarget } from "../../support/target.ts";

let world: World;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  world = await startWorld();
  people = createPeople(world.target.url);
});
afterAll(() => world.stop());

const linkedTo = (userId: string): number => world.rows.count("auth_identities where user_id = ?", userId);
const verification = (person: Person) => mailedToken(world.mailbox, person.email, "Verify your email");
const confirm = (browser: Client, token: string) => browser.post(auth("email-verification/confirm"), { token });

async function reset(person: Person, password = "the owner walks by the sea"): Promise<number> {
  const browser = world.browser();
  await browser.post(auth("password-reset/request"), { login: person.email });
  const token = await mailedToken(world.mailbox, person.email, "Reset your password");
  return (await browser.post(auth("password-reset/confirm"), { token, new_password: password })).status;
}

async function linkGitHub(person: Person): Promise<string> {
  const { account } = world.newcomer("hopper");
  expect((await signInWith(person.client, world.github, account, { link: true })).status).toBe(303);
  return account;
}

describe("F-20 what an unproven account held", () => {
  test("goes when its address is proven by a browser that is not signed in to it", async () => {
    const [squatter, bystander] = [await people.register("squatter"), await people.register("bystander")];
    const other = await squatter.login();
    const account = await linkGitHub(squatter);
    const bystanders = await linkGitHub(bystander);
    const inFlight = await begin(squatter.client, world.google, { link: true });
    const trap = await approve(world.google, inFlight, world.newcomer("thief").account);
    // The owner of the mailbox happens to be signed in to another account.
    const owner = bystander.client;
    const answer = await confirm(owner, await verification(squatter));
    expect([answer.status, answer.at("user.id")]).toEqual([200, squatter.id]);
    expect(answer.at("user.email_verified_at")).toBeString();
    expect(linkedTo(squatter.id)).toBe(0);
    expect(await isServed(squatter.client)).toBe(false);
    expect(await isServed(other)).toBe(false);
    expect((await deliver(squatter.client, trap)).status).toBe(401);
    const byGitHub = world.browser();
    expect((await signInWith(byGitHub, world.github, account)).status).toBe(303);
    expect((await byGitHub.get(auth("me"))).at("user.id")).not.toBe(squatter.id);
    // The owner's own account stays as it was.
    expect(await isServed(owner)).toBe(true);
    expect((await signInWith(world.browser(), world.github, bystanders)).status).toBe(303);
    expect(linkedTo(bystander.id)).toBe(1);
  });

  test("stays when the browser that proves it is signed in to the account", async () => {
    const ada = await people.register("ada");
    const other = await ada.login();
    await linkGitHub(ada);
    expect((await confirm(other, await verification(ada))).status).toBe(200);
    expect(linkedTo(ada.id)).toBe(1);
    expect(await isServed(ada.client)).toBe(true);
    expect(await isServed(other)).toBe(true);
  });

  test("goes when the cookies of the browser that proves it are worth nothing any more", async () => {
    const ada = await people.register("ada");
    const stale = (await ada.login()).copy();
    await linkGitHub(ada);
    await stale.copy().post(auth("logout"));
    expect((await confirm(stale, await verification(ada))).status).toBe(200);
    expect(linkedTo(ada.id)).toBe(0);
    expect(await isServed(ada.client)).toBe(false);
  });

  test("a second proof of the same address takes nothing", async () => {
    const ada = await people.register("ada");
    expect((await confirm(ada.client, await verification(ada))).status).toBe(200);
    const account = await linkGitHub(ada);
    world.rows.run(
      `update auth_grants set redeemed_at = null, voided_at = null
       where user_id = ? and purpose = 'email_verification'`,
      ada.id,
    );
    world.rows.run("update auth_identities set linked_at = linked_at - ? where user_id = ?", 60 * minute, ada.id);
    const token = "a-token-of-this-test-that-nobody-mailed-";
    const hash = new Bun.CryptoHasher("sha256").update(token).digest("hex");
    world.rows.run(
      "update auth_grants set token_hash = ? where user_id = ? and purpose = 'email_verification'",
      hash,
      ada.id,
    );
    expect((await confirm(world.browser(), token)).status).toBe(200);
    expect(linkedTo(ada.id)).toBe(1);
    expect(await isServed(ada.client)).toBe(true);
    expect((await signInWith(world.browser(), world.github, account)).status).toBe(303);
  });

  test("goes from an account that moves to an address whose mailbox confirms it in another browser, however proven it was", async () => {
    for (const isOwn of [false, true]) {
      const ada = await people.register("ada");
      expect((await confirm(ada.client, await verification(ada))).status).toBe(200);
      await linkGitHub(ada);
      const email = `moved.${ada.email}`;
      const edit = { email, current_password: ada.password };
      expect((await ada.client.post(auth("profile"), edit)).status).toBe(200);
      const token = await mailedToken(world.mailbox, email, "Verify your email");
      const answer = await confirm(isOwn ? ada.client : world.browser(), token);
      expect([answer.status, answer.at("user.email")]).toEqual([200, email]);
      expect(await isServed(ada.client)).toBe(isOwn);
      expect(linkedTo(ada.id)).toBe(isOwn ? 1 : 0);
    }
  });

  test("is written down: which identities went, and that the sessions ended", async () => {
    const ada = await people.register("ada");
    await linkGitHub(ada);
    await confirm(world.browser(), await verification(ada));
    const rowOf = (action: string) =>
      world.rows.get(
        "select reason, outcome from audit_events where subject_user_id = ? and action = ?",
        ada.id,
        action,
      );
    const because = { reason: "address_not_proven", outcome: "success" };
    expect(rowOf("auth.identity-unlinked")).toEqual(because);
    expect(rowOf("auth.session-revoked")).toEqual(because);
  });
});

describe("F-21 a reset", () => {
  test("unlinks what was linked before the address was proven, though the proof left it, and nothing linked since", async () => {
    const ada = await people.register("ada");
    await linkGitHub(ada);
    const token = await verification(ada);
    await Bun.sleep(2);
    expect((await confirm(ada.client, token)).status).toBe(200);
    await Bun.sleep(2);
    const { account } = world.newcomer("ada");
    expect((await signInWith(ada.client, world.google, account, { link: true })).status).toBe(303);
    expect(linkedTo(ada.id)).toBe(2);
    world.rows.letPass(8 * 24 * hour);
    expect(await reset(ada)).toBe(200);
    expect(world.rows.get("select provider from auth_identities where user_id = ?", ada.id)).toEqual({
      provider: "google",
    });
    expect(await reset(ada, "the owner walks there again")).toBe(200);
    expect(linkedTo(ada.id)).toBe(1);
  });
});

describe("F-23 a token that was answered instead of mailed", () => {
  test("sets a new password, and proves nothing of the address", async () => {
    const local = await startTarget({ env: { ...calm, AUTH_PASSWORD_RESET_RETURN_TOKEN: "true" } });
    const rows = openRows(local.databasePath);
    try {
      const ada = await createPeople(local.url).register("ada");
      const browser = createClient(local.url);
      const token = (await browser.post(auth("password-reset/request"), { login: ada.email })).textAt("reset_token");
      expect(rows.count("auth_grants where mailed = 0")).toBe(1);
      const password = "another walk by the sea";
      const confirmed = await browser.post(auth("password-reset/confirm"), { token, new_password: password });
      expect(confirmed.status).toBe(200);
      expect(await isServed(ada.client)).toBe(false);
      const again = await ada.login({ password });
      expect((await again.get(auth("me"))).at("user.email_verified_at")).toBeNull();
    } finally {
      rows.close();
      await local.stop();
    }
  });
});

describe("F-22 linking asks for a proof of identity that is ten minutes old at most", () => {
  const startLink = (browser: Client) => browser.get(routeOf("github", "link/start"));
  const age = (person: { readonly id: string }, ms: number): void => {
    world.rows.run(
      "update auth_sessions set created_at = created_at - ?, proved_at = proved_at - ? where user_id = ?",
      ms,
      ms,
      person.id,
    );
  };
  const tooOld = [403, "reauthentication required", "reauthentication_required"] as const;
  const again = (browser: Client, password: string) =>
    browser.post(auth("reauthenticate"), { current_password: password });

  test("the login is one; later the password is asked for again, of this session alone", async () => {
    const ada = await people.register("ada");
    age(ada, 9 * minute);
    expect((await startLink(ada.client)).status).toBe(302);
    age(ada, minute);
    const other = await ada.login();
    const states = world.rows.count("oauth_states");
    expectRefusal(await startLink(ada.client), ...tooOld);
    expect(world.rows.count("oauth_states")).toBe(states);
    expect((await startLink(other)).status).toBe(302);
    const page = await ada.client.get(routeOf("github", "link/start"), { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("location")]).toEqual([303, "/login?oauth_error=reauthentication_required"]);

    const proved = await again(ada.client, ada.password);
    expect([proved.status, proved.json]).toEqual([200, { ok: true }]);
    expect(proved.setCookies).toEqual([]);
    expect((await startLink(ada.client)).status).toBe(302);
    age(ada, 10 * minute);
    expectRefusal(await startLink(ada.client), ...tooOld);
    expectRefusal(await startLink(other), ...tooOld);
  });

  test("a wrong password is none, and counts as every wrong password does", async () => {
    const ada = await people.register("ada");
    age(ada, 10 * minute);
    expectRefusal(await again(ada.client, "not the password"), 401, "invalid credentials", "invalid_credentials");
    expectRefusal(await startLink(ada.client), ...tooOld);
    expect((await again(ada.client, "")).status).toBeGreaterThanOrEqual(400);
    expectRefusal(await again(world.browser(), ada.password), 401, "unauthorized", "unauthorized");
    for (let tries = 0; tries < 5; tries += 1) await again(ada.client, "not the password");
    expect([423, 429]).toContain((await again(ada.client, ada.password)).status);
    expectRefusal(await startLink(ada.client), ...tooOld);
  });

  test("a refresh and a request prove nothing; a change of the password does", async () => {
    const ada = await people.register("ada");
    age(ada, 10 * minute);
    expect((await ada.client.post(auth("refresh"))).status).toBe(200);
    expect(await isServed(ada.client)).toBe(true);
    expectRefusal(await startLink(ada.client), ...tooOld);
    const change = { current_password: ada.password, new_password: "another walk by the sea" };
    expect((await ada.client.post(auth("change-password"), change)).status).toBe(200);
    expect((await startLink(ada.client)).status).toBe(302);
  });

  test("an account without a password signs in with its provider again", async () => {
    const ada = world.newcomer("ada");
    const browser = world.browser();
    await signInWith(browser, world.google, ada.account);
    const id = (await browser.get(auth("me"))).textAt("user.id");
    expect((await startLink(browser)).status).toBe(302);
    age({ id }, 10 * minute);
    expectRefusal(await startLink(browser), ...tooOld);
    expectRefusal(await again(browser, "anything at all"), 401, "invalid credentials", "invalid_credentials");
    await signInWith(browser, world.google, ada.account);
    expect((await startLink(browser)).status).toBe(302);
  });

  test("a session that an earlier release opened was proven when it was opened", async () => {
    const ada = await people.register("ada");
    world.rows.run("update auth_sessions set proved_at = null where user_id = ?", ada.id);
    expect((await startLink(ada.client)).status).toBe(302);
    world.rows.run("update auth_sessions set created_at = created_at - ? where user_id = ?", 10 * minute, ada.id);
    expectRefusal(await startLink(ada.client), ...tooOld);
    expect((await again(ada.client, ada.password)).status).toBe(200);
    expect((await startLink(ada.client)).status).toBe(302);
  });
});

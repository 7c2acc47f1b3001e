import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appearance, auth, expectRefusal, nextMail } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { signInWith } from "../../support/oauth/journey.ts";
import { startWorld, type World } from "../../support/oauth/world.ts";
import { openIdNames, type OpenIdName } from "../../support/oauth/provider.ts";

const password = "a long walk by the sea";
let world: World;
beforeAll(async () => {
  world = await startWorld({ AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" });
});
afterAll(() => world.stop());

/** Registers an address here, verified or not. */
async function taken(name: string, verified: boolean): Promise<string> {
  const email = `${name}.${crypto.randomUUID().slice(0, 8)}@people.test`;
  expect((await createClient(world.target.url).post(auth("register"), { email, password })).status).toBe(200);
  await nextMail(world.mailbox, email, "Verify your email");
  if (verified) world.rows.run("update users set email_verified_at = 1 where email = ?", email);
  return email;
}

/** Resolves to the answers, in JSON and as a page, that a stranger with that address at the provider sees. */
async function seen(name: OpenIdName, email: string | undefined) {
  const { account } = world.newcomer("stranger", { emailVerified: false, ...(email === undefined ? {} : { email }) });
  const answers = [];
  for (let time = 0; time < 2; time += 1) {
    const browser = world.browser();
    const answer = await signInWith(browser, world[name], account);
    expectRefusal(answer, 403, "email not verified", "email_not_verified");
    expect(browser.cookie("auth_refresh")).toBeUndefined();
    const { status, body, headers } = appearance(answer);
    // Request ids count up, and their length changes that of the answer.
    answers.push({ status, body, headers: headers.filter(([header]) => header !== "content-length") });
  }
  return answers;
}

describe.each(openIdNames)("F-24 where addresses must be verified, one that %s does not vouch for", (name) => {
  test("is answered alike whether or not it has an account, verified or not, at once and again", async () => {
    const free = await seen(name, undefined);
    expect(await seen(name, await taken("ada", true))).toEqual(free);
    expect(await seen(name, await taken("grace", false))).toEqual(free);
  });
});

test("F-24 the owner of the account is told by mail, at most ten times an hour, and nothing is linked", async () => {
  const email = await taken("ada", true);
  const { account } = world.newcomer("stranger", { emailVerified: false, email });
  const told = () => world.mailbox.all().filter((mail) => mail.subject === "You already have an account").length;
  const before = told();
  for (let time = 0; time < 14; time += 1) await signInWith(world.browser(), world.google, account);
  await nextMail(world.mailbox, email, "You already have an account");
  expect(world.rows.count("users where email = ?", email)).toBe(1);
  expect(world.rows.count("auth_identities where email = ?", email)).toBe(0);
  const refused = world.rows.count(
    `audit_events where reason = 'identity_link_required' and subject_user_id = (select id from users where email = ?)`,
    email,
  );
  expect(refused).toBe(14);
  for (let waited = 0; waited < 50 && told() - before < 10; waited += 1) await Bun.sleep(50);
  expect(told() - before).toBeGreaterThan(0);
  expect(told() - before).toBeLessThanOrEqual(10);
});

test("F-24 an address that the provider vouches for is its owner's: they are told to link", async () => {
  const { account } = world.newcomer("ada", { email: await taken("ada", true) });
  const answer = await signInWith(world.browser(), world.google, account);
  expect([answer.status, answer.at("code")]).toEqual([409, "identity_link_required"]);
});

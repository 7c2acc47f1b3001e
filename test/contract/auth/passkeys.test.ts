import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPasskeyChallenges } from "../../../src/auth/factor/passkey/passkey.challenges.ts";
import { auth, expectRefusal, isServed, jwtSecret, minute, nextMail } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { createAuthenticator, type Tweaks } from "../../support/authenticator.ts";
import { createClient, type Client } from "../../support/client.ts";
import { startTarget, type Target } from "../../support/target.ts";
import {
  add,
  cookie,
  creationOptions,
  expectInvalidChallenge,
  origin,
  requestOptions,
  signIn,
  stagePasskeys,
} from "./passkeys.fixture.ts";

const { target, rows, mailbox, browser, withPasskey, refusalIn } = await stagePasskeys({
  API_TRUSTED_PROXIES: "127.0.0.1",
});
const ada = await withPasskey("ada");

describe("signing in with a passkey", () => {
  test.each(["ES256", "EdDSA", "RS256"] as const)("takes no name: %s", async (algorithm) => {
    const { person, authenticator } = await withPasskey("grace", algorithm);
    const client = browser();
    const answer = await signIn(client, authenticator, {}, { remember: true });
    expect(answer.status).toBe(200);
    expect(answer.at("user.id")).toBe(person.id);
    expect(answer.setCookies.map(({ name }) => name)).toEqual(["auth_access", "auth_refresh", "auth_device"]);
    expect(await isServed(client)).toBe(true);
    expect((await signIn(browser(), authenticator)).status).toBe(200);
    const how = "audit_events where action = 'auth.logged-in' and reason = 'by_passkey' and subject_user_id = ?";
    expect(rows.count(how, person.id)).toBe(2);
  });

  test("M-30 what is offered to a stranger names nobody, asks for user verification, and lasts five minutes", async () => {
    const client = browser();
    const answer = await client.post(auth("passkeys/login/options"));
    expect(answer.at("options")).toEqual({
      rpId: "auth.example.test",
      challenge: expect.stringMatching(/^[\w-]{75}$/),
      timeout: 5 * minute,
      allowCredentials: [],
      hints: [],
      userVerification: "required",
    });
    const [set] = answer.setCookies;
    expect(set?.name).toBe(cookie);
    expect([...(set?.attributes.keys() ?? [])].toSorted()).toEqual([
      "httponly",
      "max-age",
      "path",
      "samesite",
      "secure",
    ]);
  });

  test("M-31 strangers who ask for challenges leave no row behind", async () => {
    const tables = [...rows.tables().keys()].filter((table) => table.startsWith("auth_") && table !== "auth_attempts");
    const counted = () => tables.map((table) => rows.count(table));
    // Mails of tests before make links.
    await eventually("no job waits", () => rows.count("jobs where state <> 'failed'") === 0);
    const before = counted();
    rows.forgive();
    for (let asked = 0; asked < 40; asked += 1) await requestOptions(browser());
    expect(counted()).toEqual(before);
    // The number of requests is counted, in one row for the address.
    expect(rows.count("auth_attempts")).toBe(1);
  });

  test.each([
    ["of another origin", { origin: "https://auth.example.evil" }, "wrong_origin"],
    ["of the same host over plain HTTP", { origin: "http://auth.example.test" }, "wrong_origin"],
    ["of another port", { origin: "https://auth.example.test:8443" }, "wrong_origin"],
    ["in a frame of another origin", { crossOrigin: true }, "cross_origin"],
    ["with another page around it", { topOrigin: "https://example.evil" }, "cross_origin"],
    ["made for another site", { rpId: "example.evil" }, "wrong_rp_id"],
    ["without user verification", { verified: false }, "not_verified"],
    ["without anybody there", { present: false }, "not_verified"],
    ["by another key", { forged: true }, "wrong_signature"],
    ["of a registration", { type: "webauthn.create" }, "wrong_ceremony"],
    ["in the name of another account", { userHandle: "c29tZWJvZHkgZWxzZQ" }, "foreign_user_handle"],
    ["in nobody's name", { userHandle: null }, "foreign_user_handle"],
    ["that nobody has", { credentialId: "bm8gc3VjaCBwYXNza2V5" }, "unknown_credential"],
  ] as const)("M-32 an answer %s is refused, and why stands in the audit log alone", async (_, tweaks, reason) => {
    rows.forgive();
    const client = browser();
    const answer = await signIn(client, ada.authenticator, tweaks);
    expectRefusal(answer, 401, "invalid credentials", "invalid_credentials");
    expect(answer.text).not.toContain(reason);
    expect(client.cookie("auth_access")).toBeUndefined();
    await refusalIn(reason);
  });

  test("M-05 M-33 a challenge serves once", async () => {
    const client = browser();
    const credential = await ada.authenticator.get(await requestOptions(client));
    expect((await client.post(auth("passkeys/login/verify"), { credential })).status).toBe(200);
    expectInvalidChallenge(await client.post(auth("passkeys/login/verify"), { credential }));
    await refusalIn("challenge_used_up");
  });

  test("M-33 of many answers to one challenge at the same time, one serves", async () => {
    rows.forgive();
    const client = browser();
    const options = await requestOptions(client);
    const credentials = await Promise.all(Array.from({ length: 8 }, () => ada.authenticator.get(options)));
    const answers = await Promise.all(
      credentials.map((credential) => client.copy().post(auth("passkeys/login/verify"), { credential })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    rows.forgive();
  });

  test("M-05 a challenge is worth nothing in another browser, session or ceremony, and after five minutes", async () => {
    const [client, other] = [browser(), browser()];
    const options = await requestOptions(client);
    await requestOptions(other);
    const verify = async (as: Client, tweaks: Tweaks = {}) =>
      as.post(auth("passkeys/login/verify"), { credential: await ada.authenticator.get(options, tweaks) });
    expectInvalidChallenge(await verify(other));
    expectInvalidChallenge(await verify(browser()));
    expectInvalidChallenge(await verify(client, { challenge: "bWFkZSB1cA" }));
    const { challenge } = Object(await creationOptions(ada.person.client));
    expectInvalidChallenge(await verify(client, { challenge }));
    const late = createPasskeyChallenges({
      app: "app",
      secret: jwtSecret,
      previousSecrets: [],
      clock: { now: () => Date.now() - 5 * minute - 1 },
    }).issue({ kind: "login", boundTo: client.cookie(cookie) ?? "" });
    expectInvalidChallenge(await verify(client, { challenge: late }));
    for (const reason of ["challenge_of_other_browser", "challenge_unknown", "challenge_expired"])
      await refusalIn(reason);
    expect((await verify(client)).status).toBe(200);
  });

  test("M-34 a counter that falls back is refused, and its owner is told", async () => {
    const { person, authenticator } = await withPasskey("grace");
    expect((await signIn(browser(), authenticator, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0])
      expectRefusal(
        await signIn(browser(), authenticator, { counter }),
        401,
        "invalid credentials",
        "invalid_credentials",
      );
    await refusalIn("counter_fell_back");
    const mail = await nextMail(mailbox, person.email, "A passkey of your account may have been copied");
    expect(mail.text).toContain(
      `Passkey:    ${String(rows.get("select name from auth_passkeys where user_id = ?", person.id)?.["name"])}`,
    );
    expect((await signIn(browser(), authenticator, { counter: 8 })).status).toBe(200);
  });

  test("M-34 a counter that fell back by a signature that is none is told to nobody", async () => {
    const { person, authenticator } = await withPasskey("grace");
    expect((await signIn(browser(), authenticator, { counter: 7 })).status).toBe(200);
    expect((await signIn(browser(), authenticator, { counter: 3, forged: true })).status).toBe(401);
    expect(rows.count("audit_events where subject_user_id = ? and reason = 'counter_fell_back'", person.id)).toBe(0);
  });

  test("a passkey without a counter signs in again and again", async () => {
    const { authenticator } = await withPasskey("grace");
    for (let time = 0; time < 3; time += 1)
      expect((await signIn(browser(), authenticator, { counter: 0 })).status).toBe(200);
  });

  test("M-35 the account of a passkey is switched off: the answer is that of a wrong one", async () => {
    const { person, authenticator } = await withPasskey("grace");
    rows.run("update users set active = 0 where id = ?", person.id);
    expectRefusal(await signIn(browser(), authenticator), 401, "invalid credentials", "invalid_credentials");
  });

  test("M-36 wrong answers lock the passkey for a while at their address, and neither the password nor another passkey", async () => {
    rows.forgive();
    const { person, authenticator } = await withPasskey("grace");
    const other = await createAuthenticator(origin);
    expect((await add(person.client, other)).status).toBe(200);
    for (let time = 0; time < 4; time += 1)
      expect((await signIn(browser(), authenticator, { forged: true })).status).toBe(401);
    expect((await signIn(browser(), authenticator, { forged: true })).status).toBe(423);
    expect((await signIn(browser(), authenticator)).status).toBe(423);
    expect((await signIn(browser(), other)).status).toBe(200);
    const owner = browser();
    const credential = await authenticator.get(await requestOptions(owner));
    const elsewhere = { headers: { "x-forwarded-for": "203.0.113.1" } };
    expect((await owner.post(auth("passkeys/login/verify"), { credential }, elsewhere)).status).toBe(200);
    rows.forgive();
  });

  test("an app that is no browser gets tokens", async () => {
    const client = browser();
    const asked = await client.post(auth("passkeys/login/options"), { delivery: "body" });
    expect(asked.setCookies).toEqual([]);
    const credential = await ada.authenticator.get(asked.at("options"));
    expectInvalidChallenge(await client.post(auth("passkeys/login/verify"), { credential }));
    const answer = await client.post(auth("passkeys/login/verify"), { credential, delivery: "body" });
    expect(answer.status).toBe(200);
    expect(answer.textAt("tokens.access_token")).not.toBe("");
    const page = { headers: { origin, "sec-fetch-site": "same-origin" } };
    const refused = await browser().post(auth("passkeys/login/options"), { delivery: "body" }, page);
    expect(refused.at("code")).toBe("cookies_only");
  });

  test.each([
    ["nothing", {}, "required"],
    ["text", { credential: "a passkey" }, "invalid_type"],
    ["an object of another shape", { credential: { id: "a", response: {} } }, "invalid_type"],
  ])("%s in place of a passkey is an invalid payload", async (_, body, code) => {
    const answer = await browser().post(auth("passkeys/login/verify"), body);
    expect(answer.status).toBe(400);
    expect(answer.at("fields.credential.code")).toBe(code);
  });
});

describe("two processes", () => {
  let second: Target;
  beforeAll(async () => {
    const env = { ...target.env, DB_DATABASE: target.databasePath };
    second = await startTarget({ env, roles: ["http"], migrate: false, shared: true });
  });
  afterAll(() => second.stop());

  /** Returns the browser as a client of another process. */
  function at(url: string, client: Client): Client {
    const there = createClient(url);
    there.setCookie(cookie, client.cookie(cookie) ?? "");
    return there;
  }

  test("M-05 M-33 know each other's challenges, and let one of many answers serve", async () => {
    const client = browser();
    const options = await requestOptions(client);
    const credential = await ada.authenticator.get(options);
    const answers = await Promise.all(
      [target, second, target, second].map(({ url }) =>
        at(url, client).post(auth("passkeys/login/verify"), { credential }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expectInvalidChallenge(await at(second.url, client).post(auth("passkeys/login/verify"), { credential }));
  });
});

import { describe, expect, test } from "bun:test";
import { auth, claimsOf, expectRefusal, isServed, nextMail, type Person } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { stagePasskeys } from "./passkeys.fixture.ts";

const { rows, mailbox, browser, withPasskey, refusalIn, ageProof } = await stagePasskeys();
const ada = await withPasskey("ada");

/** Resolves to a browser in which the password was right. */
async function challenged({ email, password }: Person) {
  const client = browser();
  const answer = await client.post(auth("login"), { login: email, password });
  expect([answer.status, answer.at("code"), answer.at("methods")]).toEqual([401, "mfa_required", ["passkey"]]);
  const challenge = answer.textAt("challenge");
  const asked = await client.get(`${auth("login/challenge")}?id=${challenge}`);
  const verify = (credential: unknown, as: Client = client) =>
    as.post(auth("login/verify"), { challenge, method: "passkey", credential });
  return { client, options: asked.at("passkey_options"), verify };
}

describe("a passkey after the password", () => {
  test("M-32 is asked for by its name, and opens the session", async () => {
    const { client, options, verify } = await challenged(ada.person);
    expect(options).toEqual({
      rpId: "auth.example.test",
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 300_000,
      allowCredentials: [{ type: "public-key", id: ada.authenticator.credentialId, transports: ["internal"] }],
      hints: ["client-device"],
      userVerification: "required",
    });
    expect(await isServed(client)).toBe(false);
    // A key that holds no account of its own names nobody.
    const answer = await verify(await ada.authenticator.get(options, { userHandle: null }));
    expect([answer.status, answer.at("user.id")]).toEqual([200, ada.person.id]);
    expect(claimsOf(client.cookie("auth_access") ?? "")["amr"]).toContain("mfa");
  });

  test.each([
    ["on another page", { origin: "https://example.evil" }, "wrong_origin"],
    ["in a frame", { crossOrigin: true }, "cross_origin"],
    ["without user verification", { verified: false }, "not_verified"],
    ["by another key", { forged: true }, "wrong_signature"],
    ["in the name of somebody else", { userHandle: "c29tZWJvZHkgZWxzZQ" }, "foreign_user_handle"],
    ["to another challenge", { challenge: "bWFkZSB1cA" }, "challenge_unknown"],
  ] as const)("M-32 shown %s is refused, and why stands in the audit log alone", async (_, tweaks, reason) => {
    const { options, verify } = await challenged(ada.person);
    const answer = await verify(await ada.authenticator.get(options, tweaks));
    expectRefusal(answer, 401, "invalid code", "invalid_code");
    await refusalIn(reason);
    rows.forgive();
  });

  test("M-38 of another account is refused", async () => {
    const grace = await withPasskey("grace");
    const { options, verify } = await challenged(ada.person);
    expectRefusal(await verify(await grace.authenticator.get(options)), 401, "invalid code", "invalid_code");
  });

  test("M-05 M-33 answers its own challenge alone, once, in the browser that began", async () => {
    const { client, options, verify } = await challenged(ada.person);
    const other = await challenged(ada.person);
    const credential = await ada.authenticator.get(options);
    expect((await other.verify(credential)).at("code")).toBe("invalid_code");
    expect((await verify(credential, browser())).at("code")).toBe("invalid_challenge");
    const request = await client.post(auth("passkeys/login/options"));
    const nameless = await ada.authenticator.get(request.at("options"));
    expect((await verify(nameless)).at("code")).toBe("invalid_code");
    // Likewise, an answer to the second step opens nothing without the first step.
    expect((await client.post(auth("passkeys/login/verify"), { credential })).at("code")).toBe("invalid_challenge");
    const last = await ada.authenticator.get(options);
    expect((await verify(last)).status).toBe(200);
    expect((await verify(last)).at("code")).toBe("invalid_challenge");
    rows.forgive();
  });

  test("M-34 with a counter that fell back is refused, and its owner is told", async () => {
    const { person, authenticator } = await withPasskey("grace");
    const first = await challenged(person);
    expect((await first.verify(await authenticator.get(first.options, { counter: 9 }))).status).toBe(200);
    const second = await challenged(person);
    const copied = await authenticator.get(second.options, { counter: 9 });
    expect((await second.verify(copied)).at("code")).toBe("invalid_code");
    await nextMail(mailbox, person.email, "A passkey of your account may have been copied");
  });
});

test("a passkey is a fresh proof for what takes one, once", async () => {
  const { person, authenticator, id } = await withPasskey("grace");
  ageProof(person);
  const { client } = person;
  expect((await client.post(auth(`passkeys/${id}/remove`))).at("code")).toBe("reauthentication_required");
  const asked = await client.post(auth("reauthenticate/options"));
  const credential = await authenticator.get(asked.at("passkey_options"));
  const prove = () => client.post(auth("reauthenticate"), { method: "passkey", credential });
  expect((await prove()).status).toBe(200);
  expect((await prove()).at("code")).toBe("invalid_code");
  expect((await client.post(auth(`passkeys/${id}/remove`))).status).toBe(200);
});

test("M-37 an account whose passkeys are of another domain stays closed to its password", async () => {
  const { person } = await withPasskey("grace");
  rows.run("update auth_passkeys set rp_id = 'elsewhere.example' where user_id = ?", person.id);
  const client = browser();
  const answer = await client.post(auth("login"), { login: person.email, password: person.password });
  expect([answer.at("code"), answer.at("methods")]).toEqual(["mfa_required", []]);
});

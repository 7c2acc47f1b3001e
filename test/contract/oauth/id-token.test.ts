import { afterEach, describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, UnsecuredJWT, type JWTPayload } from "jose";
import { auth, expectRefusal } from "../../support/auth.ts";
import { signInWith } from "../../support/oauth/journey.ts";
import type { Tamper } from "../../support/oauth/openid.ts";
import { answerWith, openIdNames } from "../../support/oauth/provider.ts";
import { stageWorld, startWorld } from "../../support/oauth/world.ts";

const world = await stageWorld();
afterEach(() => {
  for (const name of names) world[name].tamper(undefined);
});

const names = openIdNames;
type Name = (typeof names)[number];
const now = (): number => Math.floor(Date.now() / 1000);
const without = (claims: JWTPayload, ...dropped: string[]): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !dropped.includes(name)));

/** Resolves to the reason in the log of the one failed exchange. */
async function refusedFor(name: Name, tamper: Tamper): Promise<string> {
  world[name].tamper(tamper);
  const counts = () => ({ users: world.rows.count("users"), sessions: world.rows.count("auth_sessions") });
  const before = counts();
  const ada = world.newcomer("ada");
  const reason = await world.failureOf(world[name], async () => {
    const answer = await signInWith(world.browser(), world[name], ada.account);
    expectRefusal(answer, 502, "the provider's answer could not be used", "oauth_exchange_failed");
    expect(answer.setCookies).toEqual([]);
    expect(counts()).toEqual(before);
  });
  // The log says what was wrong with the token, not whose token it was.
  expect(world.target.logs()).not.toContain(ada.email);
  return reason;
}

const claimCases: readonly (readonly [string, string, (claims: JWTPayload) => JWTPayload])[] = [
  ["another issuer", "id_token_issuer", (claims) => ({ ...claims, iss: "https://evil.example" })],
  ["the issuer with a slash", "id_token_issuer", (claims) => ({ ...claims, iss: `${claims.iss}/` })],
  ["no issuer", "id_token_issuer", (claims) => without(claims, "iss")],
  ["another audience", "id_token_audience", (claims) => ({ ...claims, aud: "another-client", azp: "another-client" })],
  ["no audience", "id_token_audience", (claims) => without(claims, "aud")],
  ["an empty list of audiences", "id_token_audience", (claims) => ({ ...claims, aud: [] })],
  ["another authorized party", "id_token_audience", (claims) => ({ ...claims, azp: "another-client" })],
  [
    "several audiences and no authorized party",
    "id_token_audience",
    (claims) => ({ ...without(claims, "azp"), aud: [String(claims.aud), "another-client"] }),
  ],
  ["an end in the past", "id_token_expired", (claims) => ({ ...claims, exp: now() - 120 })],
  ["no end", "id_token_expired", (claims) => without(claims, "exp")],
  ["an end that is no number", "id_token_expired", (claims) => ({ ...claims, ...JSON.parse('{"exp":"tomorrow"}') })],
  ["a start in the future", "id_token_expired", (claims) => ({ ...claims, nbf: now() + 600 })],
  ["an issue in the future", "id_token_expired", (claims) => ({ ...claims, iat: now() + 600 })],
  ["an issue long ago", "id_token_expired", (claims) => ({ ...claims, iat: now() - 3600 })],
  ["no time of issue", "id_token_expired", (claims) => without(claims, "iat")],
  ["no nonce", "id_token_nonce", (claims) => without(claims, "nonce")],
  ["an empty nonce", "id_token_nonce", (claims) => ({ ...claims, nonce: "" })],
  ["another nonce", "id_token_nonce", (claims) => ({ ...claims, nonce: String(claims["nonce"]).toLowerCase() })],
  ["a nonce that is a list", "id_token_nonce", (claims) => ({ ...claims, nonce: [claims["nonce"]] })],
  ["no subject", "subject_missing", (claims) => without(claims, "sub")],
  ["an empty subject", "subject_missing", (claims) => ({ ...claims, sub: "" })],
  ["an endless subject", "id_token_invalid", (claims) => ({ ...claims, sub: "x".repeat(256) })],
  ["an address that is no text", "id_token_invalid", (claims) => ({ ...claims, email: ["ada@people.test"] })],
];

describe.each(names)("F-05 an ID token of %s", (name) => {
  test.each(claimCases)("with %s is refused: %s", async (_, reason, change) => {
    expect(await refusedFor(name, change)).toBe(reason);
  });

  test("signed with another key is refused, whatever key it says that is", async () => {
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = JSON.stringify(await exportJWK(publicKey));
    const headers = [
      {},
      { kid: "another-key" },
      { jwk },
      { jku: "https://evil.example/jwks" },
      { kid: "../../../etc" },
    ];
    for (const header of headers) {
      const asked = world[name].requests.filter((path) => path === "/token").length;
      expect(await refusedFor(name, (claims) => world[name].sign(claims, header, privateKey))).toBe(
        "id_token_signature",
      );
      expect(world[name].requests.filter((path) => path === "/token").length).toBe(asked + 1);
    }
  });

  test("that is unsigned, or signed with what is no secret, is refused", async () => {
    expect(await refusedFor(name, (claims) => new UnsecuredJWT(claims).encode())).toBe("id_token_signature");
    const shared = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode(world[name].clientId.padEnd(32)),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    expect(await refusedFor(name, (claims) => world[name].sign(claims, { alg: "HS256" }, shared))).toBe(
      "id_token_signature",
    );
  });

  test("that was changed, cut or is none at all is refused", async () => {
    const mutations: readonly ((token: string) => string)[] = [
      (token) => token.slice(0, -20),
      (token) => token.slice(0, token.lastIndexOf(".") + 1),
      (token) => token.split(".").slice(0, 2).join("."),
      (token) => token.replace(/\.(.)/, (_, first: string) => `.${first === "e" ? "f" : "e"}`),
      () => "",
      () => "not.a.token",
      () => ".".repeat(10_000),
      (token) => `${token}.${token}`,
    ];
    for (const mutate of mutations) {
      const reason = await refusedFor(name, async (claims) => mutate(await world[name].sign(claims)));
      expect(["id_token_signature", "id_token_invalid", "id_token_missing"]).toContain(reason);
    }
  });

  test("of an earlier sign-in is refused: its nonce is another", async () => {
    let earlier = "";
    world[name].tamper(async (claims) => (earlier = await world[name].sign(claims)));
    expect((await signInWith(world.browser(), world[name], world.newcomer("ada").account)).status).toBe(303);
    expect(await refusedFor(name, () => earlier)).toBe("id_token_nonce");
  });

  test("within a minute's difference of the clocks is taken", async () => {
    const { account } = world.newcomer("ada");
    world[name].tamper((claims) => ({ ...claims, exp: now() - 30, iat: now() - 60 }));
    expect((await signInWith(world.browser(), world[name], account)).status).toBe(303);
    world[name].tamper((claims) => ({ ...claims, iat: now() + 30, nbf: now() + 30 }));
    expect((await signInWith(world.browser(), world[name], account)).status).toBe(303);
  });
});

describe("F-06 the issuer of a Microsoft token", () => {
  const tenant = "99999999-8888-4777-8666-555555555555";

  test("is the tenant that the token names, whichever it is", async () => {
    const ada = world.newcomer("ada", { tenant });
    const browser = world.browser();
    expect((await signInWith(browser, world.microsoft, ada.account)).status).toBe(303);
    const id = (await browser.get(auth("me"))).textAt("user.id");
    expect(world.rows.get("select issuer, subject from auth_identities where user_id = ?", id)).toEqual({
      issuer: `${world.microsoft.url}/${tenant}/v2.0`,
      subject: ada.subject,
    });
  });

  test("must be that of the tenant it names", async () => {
    expect(await refusedFor("microsoft", (claims) => ({ ...claims, tid: tenant }))).toBe("id_token_issuer");
    expect(await refusedFor("microsoft", (claims) => without(claims, "tid"))).toBe("id_token_tenant");
    for (const tid of ["", "common", "{tenantid}", "../common", `${tenant}/x`, 7]) {
      expect(await refusedFor("microsoft", (claims) => ({ ...claims, tid }))).toBe("id_token_tenant");
    }
    const template = `${world.microsoft.url}/{tenantid}/v2.0`;
    expect(await refusedFor("microsoft", (claims) => ({ ...claims, iss: template }))).toBe("id_token_issuer");
  });

  test("the same subject in another tenant is somebody else", async () => {
    const [ada, grace] = [world.newcomer("ada"), world.newcomer("grace")];
    await signInWith(world.browser(), world.microsoft, ada.account);
    const browser = world.browser();
    const iss = `${world.microsoft.url}/${tenant}/v2.0`;
    world.microsoft.tamper((claims) => ({ ...claims, sub: ada.subject, tid: tenant, iss }));
    expect((await signInWith(browser, world.microsoft, grace.account)).status).toBe(303);
    expect((await browser.get(auth("me"))).at("user.email")).toBe(grace.email);
  });
});

test("F-05 Google's issuer may lack its scheme, as Google documents, and is the same issuer", async () => {
  const ada = world.newcomer("ada");
  const browser = world.browser();
  expect((await signInWith(browser, world.google, ada.account)).status).toBe(303);
  world.google.tamper((claims) => ({ ...claims, iss: world.google.url.replace(/^https?:\/\//, "") }));
  const other = world.browser();
  expect((await signInWith(other, world.google, ada.account)).status).toBe(303);
  expect((await other.get(auth("me"))).at("user.id")).toBe((await browser.get(auth("me"))).textAt("user.id"));
});

test("the keys are fetched once for many sign-ins", async () => {
  const fetched = (): number => world.google.requests.filter((path) => path === "/jwks").length;
  await signInWith(world.browser(), world.google, world.newcomer("ada").account);
  const before = fetched();
  for (let time = 0; time < 5; time += 1) {
    await signInWith(world.browser(), world.google, world.newcomer("ada").account);
  }
  expect(fetched()).toBe(before);
});

test("M-58 a provider that changes its keys, and changes them back, keeps nobody out meanwhile", async () => {
  const other = await startWorld();
  try {
    const provider = other["acme-login"];
    const { account } = other.newcomer("ada");
    const signIn = async () => (await signInWith(other.browser(), provider, account)).status;
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), alg: "RS256", use: "sig" };
    expect(await signIn()).toBe(303);
    for (const kid of ["another-key", "provider-key", undefined]) {
      const published = { ...jwk, ...(kid !== undefined && { kid }) };
      provider.faults.set("/jwks", answerWith(200, JSON.stringify({ keys: [published] })));
      provider.tamper((claims) => provider.sign(claims, { kid }, privateKey));
      expect(await signIn()).toBe(303);
      provider.faults.delete("/jwks");
      provider.tamper(undefined);
      expect(await signIn()).toBe(303);
    }
  } finally {
    await other.stop();
  }
});

test("keys that can't be had, or are none, are a failed exchange", async () => {
  const other = await startWorld();
  try {
    for (const [status, body] of [
      [500, "{}"],
      [200, "<html>"],
      [200, '{"keys":7}'],
      [200, '{"keys":[]}'],
    ] as const) {
      other.google.faults.set("/jwks", answerWith(status, body));
      const answer = await signInWith(other.browser(), other.google, other.newcomer("ada").account);
      expect([answer.status, answer.at("code")]).toEqual([502, "oauth_exchange_failed"]);
    }
    expect(other.rows.count("users")).toBe(0);
  } finally {
    await other.stop();
  }
});

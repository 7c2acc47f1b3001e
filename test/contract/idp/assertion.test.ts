import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { stage } from "../../support/stage.ts";
import { idpEnvironment, idpKit, issuer } from "./idp.fixture.ts";

const { target } = await stage({ env: idpEnvironment });
const kit = idpKit(target);

const algorithms = ["ES256", "EdDSA", "RS256", "PS256"] as const;
const pairOf = async (alg: string, kid = alg) => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), alg, kid, use: "sig" } };
};
type Pair = Awaited<ReturnType<typeof pairOf>>;
const pairs = await Promise.all(algorithms.map((alg) => pairOf(alg)));
const es256 = await pairOf("ES256", "first");

/** The server on which a program publishes its keys. */
let asked = 0;
const published = (keys: readonly Pair[]) => () => Response.json({ keys: keys.map(({ jwk }) => jwk) });
let answer: () => Response;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch() {
    asked += 1;
    return answer();
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  answer = published([es256, ...pairs]);
});

let made = 0;
/** Registers a program that publishes its keys at an address of its own. */
async function program(...flags: string[]) {
  made += 1;
  const uri = `${server.url.origin}/${made}/jwks`;
  return kit.register(`Robot ${made}`, "--type", "machine", "--auth", "private_key_jwt", "--jwks-uri", uri, ...flags);
}
const robot = await program();

const sign = (
  id: string,
  claims: { readonly [Name in keyof JWTPayload]?: JWTPayload[Name] | undefined } = {},
  { alg, kid, privateKey }: Pair = es256,
): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  const all = { iss: id, sub: id, aud: issuer, jti: crypto.randomUUID(), exp: now + 60, ...claims };
  return new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)))
    .setProtectedHeader({ alg, kid })
    .sign(privateKey);
};
const show = (assertion: string, fields: Readonly<Record<string, string>> = {}) =>
  kit.call("/oauth2/token", {
    grant_type: "client_credentials",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
    ...fields,
  });
const refused = { status: 401, error: "invalid_client" };
async function outcomeOf(assertion: string, fields?: Readonly<Record<string, string>>) {
  const { status, at } = await show(assertion, fields);
  return { status, error: at("error") };
}
const seconds = (from: number): number => Math.floor(Date.now() / 1000) + from;

describe("a program that signs who it is", () => {
  test.each(algorithms)("O-80 is known by a signature with %s", async (alg) => {
    expect(
      (
        await show(
          await sign(
            robot.client_id,
            {},
            pairs.find((pair) => pair.alg === alg),
          ),
        )
      ).status,
    ).toBe(200);
  });

  test("O-80 names the issuer or the token endpoint, and is known with its id beside it", async () => {
    const named = { client_id: robot.client_id };
    expect((await show(await sign(robot.client_id, { aud: `${issuer}/oauth2/token` }), named)).status).toBe(200);
    expect((await show(await sign(robot.client_id, { aud: [issuer] }))).status).toBe(200);
    expect((await outcomeOf(await sign(robot.client_id), { client_id: "another" })).error).toBe("invalid_request");
  });

  test.each([
    ["for another service", { aud: "https://other.example.test" }],
    ["for another service as well", { aud: [issuer, "https://other.example.test"] }],
    ["for nobody", { aud: undefined }],
    ["about another program", { sub: "another" }],
    ["that is over", { exp: seconds(-60) }],
    ["for longer than five minutes", { exp: seconds(400) }],
    ["without an end", { exp: undefined }],
    ["that begins later", { nbf: seconds(120) }],
    ["without a name of its own", { jti: undefined }],
    ["with an endless name", { jti: "x".repeat(300) }],
  ])("O-80 is refused with an assertion %s", async (_what, claims) => {
    expect(await outcomeOf(await sign(robot.client_id, claims))).toEqual(refused);
  });

  test("O-80 is refused with a signature by no key or another, with one by a shared secret, and without one", async () => {
    const stranger = await pairOf("ES256");
    expect(await outcomeOf(await sign(robot.client_id, {}, stranger))).toEqual(refused);
    const claims = { iss: robot.client_id, sub: robot.client_id, aud: issuer, jti: "j", exp: seconds(60) };
    const shared = new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: es256.kid });
    const secret = new TextEncoder().encode(JSON.stringify(es256.jwk));
    expect(await outcomeOf(await shared.sign(secret))).toEqual(refused);
    expect(await outcomeOf(new UnsecuredJWT(claims).encode())).toEqual(refused);
    expect(await outcomeOf("no.jwt")).toEqual(refused);
    const type = "urn:ietf:params:oauth:client-assertion-type:saml2-bearer";
    const other = await outcomeOf(await sign(robot.client_id), { client_assertion_type: type });
    expect(other.error).toBe("invalid_request");
  });

  test("O-80 is refused with a secret, and a program with a secret is refused with an assertion", async () => {
    const shop = await kit.register("Shop");
    expect(await outcomeOf(await sign(shop.client_id))).toEqual(refused);
    const bySecret = await kit.call("/oauth2/token", {
      grant_type: "client_credentials",
      client_id: robot.client_id,
      client_secret: "a secret",
    });
    expect(bySecret.status).toBe(401);
    const none = { grant_type: "client_credentials", client_id: robot.client_id };
    expect((await kit.call("/oauth2/token", none)).status).toBe(401);
    const byEmptySecret = { authorization: kit.basic({ client_id: robot.client_id, client_secret: "" }) };
    expect((await kit.call("/oauth2/token", none, byEmptySecret)).status).toBe(401);
  });

  test("O-81 shows an assertion once: of ten at the same moment one is taken", async () => {
    const assertion = await sign(robot.client_id);
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await show(assertion)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const fields = { token: "none", client_assertion: assertion };
    const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    expect((await kit.call("/oauth2/introspect", { ...fields, client_assertion_type: type })).status).toBe(401);
  });

  test("O-81 of FAPI 2.0 names the issuer alone", async () => {
    const flags = ["--type", "web", "--fapi", "--id-token-alg", "EdDSA"];
    made += 1;
    const uri = `${server.url.origin}/${made}/jwks`;
    const bank = await kit.register("Bank", ...flags, "--auth", "private_key_jwt", "--jwks-uri", uri);
    // It is known by then, and refused for want of a proof of its key.
    expect((await outcomeOf(await sign(bank.client_id))).error).toBe("invalid_dpop_proof");
    expect(await outcomeOf(await sign(bank.client_id, { aud: [issuer] }))).toEqual(refused);
    expect(await outcomeOf(await sign(bank.client_id, { aud: `${issuer}/oauth2/token` }))).toEqual(refused);
  });
});

describe("the keys of a program", () => {
  test("O-82 are read once for many, and once more where none fits: a new key counts at once", async () => {
    const { client_id: id } = await program();
    asked = 0;
    for (let calls = 0; calls < 5; calls += 1) expect((await show(await sign(id))).status).toBe(200);
    expect(asked).toBe(1);
    const next = await pairOf("ES256", "next");
    answer = published([next]);
    expect((await show(await sign(id, {}, next))).status).toBe(200);
    expect(asked).toBe(2);
    const stranger = await pairOf("ES256", "stranger");
    for (let calls = 0; calls < 3; calls += 1) expect(await outcomeOf(await sign(id, {}, stranger))).toEqual(refused);
    expect(asked).toBe(3);
  });

  test.each([
    ["that lead on", () => Response.redirect("https://shop.example.test/jwks")],
    ["that are none", () => new Response("<html>")],
    ["of more than 64 KiB", () => Response.json({ keys: [es256.jwk], filler: "x".repeat(70_000) })],
    ["that are too many", () => Response.json({ keys: Array.from({ length: 101 }, () => ({ kty: "EC" })) })],
    ["that are not there", () => new Response(null, { status: 404 })],
  ])("O-82 %s let nobody in, and are asked for at most each five seconds", async (_what, reply) => {
    const { client_id: id } = await program();
    asked = 0;
    answer = reply;
    for (let calls = 0; calls < 3; calls += 1) expect(await outcomeOf(await sign(id))).toEqual(refused);
    expect(asked).toBe(1);
  });
});

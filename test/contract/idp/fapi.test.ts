import { afterAll, describe, expect, test } from "bun:test";
import { constants, generateKeyPairSync, sign } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { fapiKit, keyOf, outcomeOf, seconds, type Claims, type Fields } from "./fapi.fixture.ts";
import { form, idpEnvironment, issuer, redirectUri } from "./idp.fixture.ts";

const { target, people } = await stage({ env: idpEnvironment });
const [ps256, es256, edDsa, rs256] = [
  await keyOf("PS256"),
  await keyOf("ES256"),
  await keyOf("EdDSA"),
  await keyOf("RS256"),
] as const;
/** A key that is shorter than anybody should have. */
const short = generateKeyPairSync("rsa", { modulusLength: 1024 });
const published = [
  ...[ps256, es256, edDsa, rs256].map((key) => key.published),
  { ...short.publicKey.export({ format: "jwk" }), alg: "PS256", kid: "short", use: "sig" },
];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => Response.json({ keys: published }),
});
afterAll(() => server.stop(true));
const kit = await fapiKit(target, `${server.url.origin}/jwks`, ps256);
const bank = await kit.register("Bank");
const { client: ada } = await people.register("ada");

const told = (answer: Answer): unknown => Object.fromEntries(kit.told(answer));
const unknown = { status: 401, error: "invalid_client" };
const notProven = { status: 400, error: "invalid_dpop_proof" };
const notGranted = { status: 400, error: "invalid_grant" };

describe("a program that keeps to FAPI 2.0", () => {
  test("O-121 finds in the metadata what it needs", async () => {
    const paths = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];
    for (const path of paths)
      expect((await createClient(target.url).get(path)).json).toMatchObject({
        issuer,
        pushed_authorization_request_endpoint: `${issuer}/oauth2/par`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        token_endpoint_auth_methods_supported: expect.arrayContaining(["private_key_jwt"]),
        token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(["PS256", "ES256", "EdDSA"]),
        dpop_signing_alg_values_supported: expect.arrayContaining(["PS256", "ES256", "EdDSA"]),
        id_token_signing_alg_values_supported: ["RS256", "EdDSA"],
      });
  });

  test("O-121 signs people in by a request that it has sent ahead, and gets tokens for its key", async () => {
    const sent = await bank.push({ nonce: "n-1" }, { dpop: await bank.dpop.prove("/oauth2/par") });
    expect(sent.status).toBe(201);
    const answer = kit.told(await bank.visit(ada, sent));
    expect(Object.fromEntries(answer)).toEqual({
      code: expect.any(String),
      state: "state-of-the-test",
      iss: issuer,
    });
    const tokens = await bank.swap(answer.get("code") ?? "");
    expect({ status: tokens.status, type: tokens.at("token_type") }).toEqual({ status: 200, type: "DPoP" });
    expect(decodeJwt(tokens.textAt("id_token"))).toMatchObject({
      iss: issuer,
      aud: bank.id,
      nonce: "n-1",
      acr: "aal1",
    });
    expect(decodeProtectedHeader(tokens.textAt("id_token")).alg).toBe("EdDSA");
    const access = tokens.textAt("access_token");
    expect(decodeJwt(access)["cnf"]).toEqual({ jkt: bank.dpop.jkt });
    expect((await bank.userinfo(access)).status).toBe(200);
    expect((await bank.userinfo(access, { scheme: "dPoP" })).status).toBe(200);
    expect((await bank.userinfo(access, { scheme: "Bearer" })).status).toBe(401);
  });

  test("O-121 is refused with a request in an address, in a form, and with one that is too long for an address", async () => {
    const request = kit.requestOf({ client_id: bank.id, client_secret: "" });
    const refused = {
      error: "invalid_request",
      error_description: expect.any(String),
      state: request.state,
      iss: issuer,
    };
    expect(told(await ada.get(`/oauth2/authorize?${form(request)}`))).toEqual(refused);
    for (const nonce of ["n", "n".repeat(2_000)]) {
      const headers = { "content-type": "application/x-www-form-urlencoded", origin: issuer };
      const posted = await ada.request("POST", "/oauth2/authorize", undefined, {
        body: form({ ...request, nonce }),
        headers,
      });
      const led = posted.headers.get("location") ?? "";
      const answer = led.startsWith("/oauth2/authorize") ? await ada.get(led) : posted;
      if (nonce.length > 1) expect({ status: answer.status, led }).toEqual({ status: 400, led: "" });
      else expect(told(answer)).toEqual(refused);
    }
  });

  test.each<[what: string, fields: Fields, error: string]>([
    ["without a challenge", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["with a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["for an ID token beside the code", { response_type: "code id_token" }, "unsupported_response_type"],
    ["for a token", { response_type: "token" }, "unsupported_response_type"],
    ["in a request", { request_uri: "urn:ietf:params:oauth:request_uri:x" }, "invalid_request"],
    ["without an address", { redirect_uri: undefined }, "invalid_request"],
    ["with another address", { redirect_uri: `${redirectUri}/` }, "invalid_request"],
  ])("O-121 is refused with a request %s", async (_what, fields, error) => {
    expect(outcomeOf(await bank.push(fields))).toEqual({ status: 400, error });
  });

  test("O-121 has its request to itself, for less than ten minutes and once, and what stands beside it counts for nothing", async () => {
    const other = await kit.register("Other bank");
    const sent = await bank.push({ state: "inside", nonce: "inside" });
    expect(Number(sent.at("expires_in"))).toBeLessThan(600);
    const uri = sent.textAt("request_uri");
    expect((await other.visit(ada, uri)).status).toBe(400);
    expect((await bank.visit(createClient(target.url), uri)).status).toBe(303);
    const answer = kit.told(await bank.visit(ada, uri, { state: "outside", nonce: "outside" }));
    expect(answer.get("state")).toBe("inside");
    const tokens = await bank.swap(answer.get("code") ?? "");
    expect(decodeJwt(tokens.textAt("id_token"))["nonce"]).toBe("inside");
    expect((await bank.visit(ada, uri)).status).toBe(400);
    expect((await createClient(target.url).get("/oauth2/par")).status).toBe(405);
  });

  test("O-122 proves who it is by PS256, ES256 and EdDSA, and by nothing else", async () => {
    for (const key of [ps256, es256, edDsa])
      expect((await bank.push({}, {}, await bank.proven({}, key))).status).toBe(201);
    expect(outcomeOf(await bank.push({}, {}, await bank.proven({}, rs256)))).toEqual(unknown);
    const code = await bank.codeFor(ada);
    expect(outcomeOf(await bank.swap(code, {}, undefined, await bank.proven({}, rs256)))).toEqual(unknown);
    expect(outcomeOf(await bank.swap(code, {}, undefined, { client_id: bank.id }))).toEqual(unknown);
    expect((await bank.swap(code)).status).toBe(200);
  });

  test("O-122 is refused with a key of 1024 bits", async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { iss: bank.id, sub: bank.id, aud: issuer, jti: crypto.randomUUID(), exp: seconds(60) };
    const text = `${part({ alg: "PS256", kid: "short" })}.${part(claims)}`;
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    const signature = sign("sha256", Buffer.from(text), { key: short.privateKey, ...padding }).toString("base64url");
    const shown = { ...(await bank.proven()), client_assertion: `${text}.${signature}` };
    expect(outcomeOf(await bank.push({}, {}, shown))).toEqual(unknown);
  });

  test.each<[what: string, claims: Claims]>([
    ["for the token endpoint", { aud: `${issuer}/oauth2/token` }],
    ["for the endpoint of requests", { aud: `${issuer}/oauth2/par` }],
    ["for a list with the issuer alone", { aud: [issuer] }],
    ["for somebody else", { aud: "https://other.example.test" }],
    ["about nobody", { sub: undefined }],
    ["that is over since five minutes", { exp: seconds(-300) }],
    ["that was made a minute ahead", { iat: seconds(75) }],
    ["that begins a minute ahead", { nbf: seconds(75) }],
  ])("O-122 is refused with an assertion %s", async (_what, claims) => {
    expect(outcomeOf(await bank.push({}, {}, await bank.proven(claims)))).toEqual(unknown);
  });

  test("O-122 is known with a clock that is ten seconds ahead, in assertions and in proofs", async () => {
    const ahead = { iat: seconds(10), nbf: seconds(8) };
    expect((await bank.push({}, {}, await bank.proven(ahead))).status).toBe(201);
    const proof = await bank.dpop.prove("/oauth2/token", ahead);
    expect((await bank.swap(await bank.codeFor(ada), {}, proof)).status).toBe(200);
    const late = await bank.dpop.prove("/oauth2/token", { iat: seconds(75) });
    expect(outcomeOf(await bank.swap(await bank.codeFor(ada), {}, late))).toEqual(notProven);
  });

  test("O-123 shows its key with each request for tokens, and signs by PS256, ES256 or EdDSA", async () => {
    const none = await bank.codeFor(ada);
    expect(outcomeOf(await bank.swap(none, {}, null))).toEqual(notProven);
    expect((await bank.swap(none)).status).toBe(200);
    for (const [alg, status] of [
      ["PS256", 200],
      ["EdDSA", 200],
      ["RS256", 400],
      ["ES384", 400],
    ] as const) {
      const key = await keyOf(alg);
      const answer = await bank.swap(await bank.codeFor(ada), {}, await key.prove("/oauth2/token"));
      expect({ alg, status: answer.status }).toEqual({ alg, status });
    }
  });

  test("O-123 gets a token of its own for its key alone", async () => {
    const robot = await kit.register("Robot", "--type", "machine", "--scope", "reports:read");
    const token = await robot.askForItself();
    expect({ status: token.status, type: token.at("token_type") }).toEqual({ status: 200, type: "DPoP" });
    expect(decodeJwt(token.textAt("access_token"))["cnf"]).toEqual({ jkt: robot.dpop.jkt });
    expect(outcomeOf(await robot.askForItself(null))).toEqual(notProven);
  });

  test("O-123 swaps a code with the key that its request named, by a proof or by a thumbprint", async () => {
    const key = await keyOf("ES256");
    const byProof = async () =>
      kit.told(await bank.visit(ada, await bank.push({}, { dpop: await key.prove("/oauth2/par") }))).get("code") ?? "";
    for (const make of [byProof, () => bank.codeFor(ada, { dpop_jkt: key.jkt })]) {
      expect(outcomeOf(await bank.swap(await make()))).toEqual(notGranted);
      expect((await bank.swap(await make(), {}, await key.prove("/oauth2/token"))).status).toBe(200);
    }
    const both = await bank.push({ dpop_jkt: bank.dpop.jkt }, { dpop: await key.prove("/oauth2/par") });
    expect(outcomeOf(both)).toEqual(notProven);
  });

  test("O-123 names the address of a request in any way to write it", async () => {
    const tokens = await bank.swap(await bank.codeFor(ada));
    const access = tokens.textAt("access_token");
    const at = (htu: string) => bank.userinfo(access, { claims: { htu } });
    expect((await at(`${issuer.toUpperCase()}:443/oauth2/userinfo?a=b#c`)).status).toBe(200);
    expect((await at(`${issuer}/oauth2/Userinfo`)).status).toBe(400);
    expect((await at(`${issuer}:8443/oauth2/userinfo`)).status).toBe(400);
    expect((await at("/oauth2/userinfo")).status).toBe(400);
  });

  test("O-124 has its codes to itself: with the verifier, once, and for its own key", async () => {
    const other = await kit.register("Third bank");
    const code = await bank.codeFor(ada);
    expect(outcomeOf(await other.swap(code))).toEqual(notGranted);
    const tokens = await bank.swap(code);
    expect(tokens.status).toBe(200);
    expect(outcomeOf(await bank.swap(code))).toEqual(notGranted);
    expect((await bank.userinfo(tokens.textAt("access_token"))).status).toBe(401);
    for (const code_verifier of [undefined, "another-verifier-0123456789-0123456789-0123456789"])
      expect(outcomeOf(await bank.swap(await bank.codeFor(ada), { code_verifier }))).toEqual(notGranted);
  });
});

describe("the refresh token of a program that keeps to FAPI 2.0", () => {
  test("O-125 stays the same, however often and at how many places at once it is used", async () => {
    const refresh = (await bank.swap(await bank.codeFor(ada))).textAt("refresh_token");
    const answers = await Promise.all(Array.from({ length: 5 }, () => bank.refresh(refresh)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map((each) => each.textAt("refresh_token")))).toEqual(new Set([refresh]));
    expect(new Set(answers.map((each) => each.textAt("access_token"))).size).toBe(5);
  });

  test("O-125 is of use to that program alone, once it has proven who it is and that it holds a key", async () => {
    const other = await kit.register("Fourth bank");
    const refresh = (await bank.swap(await bank.codeFor(ada))).textAt("refresh_token");
    expect(outcomeOf(await bank.refresh(refresh, undefined, { client_id: bank.id }))).toEqual(unknown);
    expect(outcomeOf(await bank.refresh(refresh, null))).toEqual(notProven);
    expect(outcomeOf(await other.refresh(refresh))).toEqual(notGranted);
    const key = await keyOf("ES256");
    const renewed = await bank.refresh(refresh, await key.prove("/oauth2/token"));
    expect(decodeJwt(renewed.textAt("access_token"))["cnf"]).toEqual({ jkt: key.jkt });
    expect((await bank.userinfo(renewed.textAt("access_token"), { key })).status).toBe(200);
  });

  test("O-125 ends with its session, and is swapped again once the program keeps to FAPI 2.0 no more", async () => {
    const desk = await kit.register("Fifth bank");
    const person = await people.register("ada");
    const refresh = (await desk.swap(await desk.codeFor(person.client))).textAt("refresh_token");
    expect((await desk.refresh(refresh)).at("refresh_token")).toBe(refresh);
    expect((await kit.run("client:update", "Fifth bank", "--no-fapi")).code).toBe(0);
    const next = (await desk.refresh(refresh)).textAt("refresh_token");
    expect(next).not.toBe(refresh);
    expect((await kit.run("client:update", "Fifth bank", "--fapi")).code).toBe(0);
    expect((await desk.refresh(next)).at("refresh_token")).toBe(next);
    expect((await person.client.post("/api/v1/auth/logout-all")).status).toBe(200);
    expect(outcomeOf(await desk.refresh(next))).toEqual(notGranted);
  });
});

test("O-126 nobody registers a program for FAPI 2.0 that could not keep to it", async () => {
  const create = async (...flags: string[]) => {
    const { code, stderr } = await kit.run("client:create", "Weak", "--type", "web", "--fapi", ...flags);
    return { code, stderr };
  };
  const signed = ["--auth", "private_key_jwt", "--jwks-uri", "https://weak.example.test/jwks"];
  const at = ["--redirect-uri", redirectUri];
  const inEdDsa = ["--id-token-alg", "EdDSA"];
  const says = (text: string) => ({ code: 1, stderr: expect.stringContaining(text) });
  expect(await create(...inEdDsa, ...at)).toEqual(says("FAPI 2.0 needs private_key_jwt"));
  expect(await create(...signed, ...at, "--id-token-alg", "RS256")).toEqual(
    says("FAPI 2.0 needs ID tokens by ES256 or EdDSA"),
  );
  expect(await create(...signed, ...at)).toEqual(says("no key here signs with ES256"));
  for (const uri of ["http://weak.example.test/callback", "http://127.0.0.1:8080/callback"])
    expect(await create(...signed, ...inEdDsa, "--redirect-uri", uri)).toEqual(
      says("FAPI 2.0 leads people on by https alone"),
    );
});

import { describe, expect, test } from "bun:test";
import { createHmac, createPublicKey } from "node:crypto";
import { createKeys } from "../../src/idp/keys/keys.ts";
import { signingAlgorithms, signingPair, type SigningPair } from "../support/signing.pair.ts";

const issuer = "https://id.example.test";
const now = Date.now();
const seconds = Math.floor(now / 1000);
const claims = { iss: issuer, sub: "ada", aud: "shop", iat: seconds, exp: seconds + 900 };
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

const keysOf = (access: SigningPair, rsa: SigningPair, ...previous: readonly SigningPair[]) =>
  createKeys({
    access: async () => access.privatePem,
    rsa: async () => rsa.privatePem,
    previous: previous.map(({ publicPem }) => publicPem),
  });
type Keys = ReturnType<typeof keysOf>;
const readAs = (keys: Keys, typ: string, token: string) => keys.verify(token, { typ, issuer, now });

const rsa = signingPair("RS256");
const nextRsa = signingPair("RS256");

describe.each(signingAlgorithms)("with an access key for %s", (alg) => {
  const access = signingPair(alg);
  const keys = keysOf(access, rsa);

  test("O-30 access tokens are signed by the one key, ID tokens by either, and each is read as what it is", async () => {
    expect(await keys.idTokenAlgorithms()).toEqual(["RS256", alg]);
    const headerOf = (token: string): unknown =>
      JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
    const signed = [
      [await keys.signAccess(claims), { alg, kid: access.kid, typ: "at+jwt" }],
      [await keys.signAs("RS256", "JWT", claims), { alg: "RS256", kid: rsa.kid, typ: "JWT" }],
      [await keys.signAs(alg, "JWT", claims), { alg, kid: access.kid, typ: "JWT" }],
      [await keys.signAs("RS256", "logout+jwt", claims), { alg: "RS256", kid: rsa.kid, typ: "logout+jwt" }],
    ] as const;
    for (const [token, header] of signed) {
      expect(headerOf(token)).toEqual(header);
      for (const typ of ["at+jwt", "JWT", "logout+jwt"])
        expect(await readAs(keys, typ, token)).toEqual(typ === header.typ ? claims : undefined);
    }
    const other = alg === "EdDSA" ? "ES256" : "EdDSA";
    await expect(keys.signAs(other, "JWT", claims)).rejects.toThrow(`no key signs with ${other}`);
  });

  test("O-30 the published keys are the public halves, each once, named by their thumbprints", async () => {
    expect(await keys.published()).toEqual([access.jwk, rsa.jwk]);
    const many = keysOf(access, rsa, access, nextRsa, rsa);
    expect(await many.published()).toEqual([access.jwk, rsa.jwk, nextRsa.jwk]);
    expect(JSON.stringify(await many.published())).not.toMatch(/"(?:d|p|q|dp|dq|qi)":/);
  });

  test("O-30 a token is refused that none of the keys has signed with the one algorithm that it is for", async () => {
    const good = rsa.token(claims, { alg: "RS256", kid: rsa.kid, typ: "JWT" });
    expect(await readAs(keys, "JWT", good)).toEqual(claims);
    const body = (header: object): string => `${encode({ typ: "JWT", ...header })}.${encode(claims)}`;
    const mac = (header: object, secret: string | Buffer): string =>
      `${body(header)}.${createHmac("sha256", secret).update(body(header)).digest("base64url")}`;
    const bytes = createPublicKey(rsa.publicPem).export({ type: "spki", format: "der" });
    const secrets = [rsa.publicPem, rsa.publicPem.trim(), bytes, JSON.stringify(rsa.jwk), String(rsa.jwk.n), ""];
    const stranger = signingPair("RS256");
    const signedAs = (pair: SigningPair, header: object): string => pair.token(claims, { typ: "JWT", ...header });
    const [head, payload, signature] = good.split(".");
    const forged = [
      ...secrets.map((secret) => mac({ alg: "HS256", kid: rsa.kid }, secret)),
      ...secrets.map((secret) => mac({ alg: "RS256", kid: rsa.kid }, secret)),
      ...["none", "None", "HS256", "RS256"].map((each) => `${body({ alg: each, kid: rsa.kid })}.`),
      ...["none", "RS384", "PS256", alg, "EdDSA", "ES256"].map((each) => signedAs(rsa, { alg: each, kid: rsa.kid })),
      signedAs(rsa, { alg: "RS256" }),
      signedAs(rsa, { alg: "RS256", kid: access.kid }),
      signedAs(rsa, { alg: "RS256", kid: null }),
      signedAs(rsa, { alg: "RS256", kid: "constructor" }),
      signedAs(rsa, { alg, kid: access.kid }),
      signedAs(access, { alg: "RS256", kid: rsa.kid }),
      signedAs(stranger, { alg: "RS256", kid: rsa.kid }),
      signedAs(stranger, { alg: "RS256", kid: stranger.kid }),
      signedAs(stranger, { alg: "RS256", kid: stranger.kid, jwk: stranger.jwk }),
      signedAs(rsa, { alg: "RS256", kid: rsa.kid, crit: ["exp"], exp: 1 }),
      signedAs(rsa, { alg: "RS256", kid: rsa.kid, typ: "at+jwt" }),
      signedAs(rsa, { alg: "RS256", kid: rsa.kid, typ: undefined }),
      `${head}.${payload}.${signature}=`,
      `${head}.${payload}.${signature}.${signature}`,
      `${head}.${payload}`,
      `${head}.${"a".repeat(20_000)}.${signature}`,
      "",
    ];
    const taken = await Promise.all(forged.map(async (token) => (await readAs(keys, "JWT", token)) !== undefined));
    expect(forged.filter((_, at) => taken[at])).toEqual([]);
  });

  test("O-30 a token of another issuer, without a subject or an end, or past it is refused; a hint may be past it", async () => {
    const header = { alg: "RS256", kid: rsa.kid, typ: "JWT" };
    for (const change of [{ iss: "https://other.test" }, { sub: undefined }, { exp: undefined }, { exp: seconds - 1 }])
      expect(await readAs(keys, "JWT", rsa.token({ ...claims, ...change }, header))).toBeUndefined();
    const hint = { typ: "JWT", issuer, now, isExpiryIgnored: true };
    const past = { ...claims, exp: seconds - 9_000 };
    expect(await keys.verify(rsa.token(past, header), hint)).toEqual(past);
    expect(await keys.verify(signingPair("RS256").token(past, header), hint)).toBeUndefined();
  });

  test("O-31 both keys are changed without a token that is refused, in steps of which each knows the keys of its neighbours", async () => {
    const nextAccess = signingPair(alg === "EdDSA" ? "ES256" : "EdDSA");
    const steps = [
      keysOf(access, rsa),
      keysOf(access, rsa, nextAccess, nextRsa),
      keysOf(nextAccess, nextRsa, access, rsa),
      keysOf(nextAccess, nextRsa),
    ];
    for (const [at, step] of steps.entries()) {
      const token = await step.signAccess(claims);
      const id = await step.signAs("RS256", "JWT", claims);
      // Instances of the step before and of the one after run beside this one, and verifiers may hold what those publish.
      for (const neighbour of steps.slice(Math.max(0, at - 1), at + 2)) {
        expect(await readAs(neighbour, "at+jwt", token)).toEqual(claims);
        expect(await readAs(neighbour, "JWT", id)).toEqual(claims);
      }
    }
    const [first, , , last] = steps;
    expect(first && last && (await readAs(last, "at+jwt", await first.signAccess(claims)))).toBeUndefined();
  });
});

test("a thumbprint is that of the standard's example (RFC 7638 §3.1)", async () => {
  const n =
    "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";
  const pem = createPublicKey({ key: { kty: "RSA", n, e: "AQAB" }, format: "jwk" }).export({
    type: "spki",
    format: "pem",
  });
  const access = signingPair("EdDSA");
  const keys = createKeys({ access: async () => access.privatePem, rsa: async () => rsa.privatePem, previous: [pem] });
  expect((await keys.published())[2]).toEqual({
    kid: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
    kty: "RSA",
    n,
    e: "AQAB",
    alg: "RS256",
    use: "sig",
  });
});

test("keys are read once, when the first token needs them, and again after a failure", async () => {
  const access = signingPair("EdDSA");
  const asked: string[] = [];
  const keys = createKeys({
    async access() {
      asked.push("access");
      return access.privatePem;
    },
    async rsa() {
      asked.push("rsa");
      if (asked.length < 3) throw new Error("the database is away");
      return rsa.privatePem;
    },
    previous: [],
  });
  await Promise.all([keys.signAccess(claims), keys.signAccess(claims)]);
  expect(asked).toEqual(["access"]);
  await expect(keys.signAs("RS256", "JWT", claims)).rejects.toThrow("the database is away");
  const token = await keys.signAs("RS256", "JWT", claims);
  expect(await readAs(keys, "JWT", token)).toEqual(claims);
  expect(asked).toEqual(["access", "rsa", "rsa"]);
});

import { afterAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { auth, calm, claimsOf, createPeople, forge, inParallel, jwtSecret, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { signingAlgorithms, signingPair } from "../../support/signing.pair.ts";
import { startTarget } from "../../support/target.ts";

// Tokens of these tests make a careless verifier use another key, another algorithm or another meaning than the signer's.
const encode = (part: unknown): string =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
const decode = (part: string): Buffer => Buffer.from(part, "base64url");

const stages = await Promise.all(
  signingAlgorithms.map(async (alg) => {
    const pair = signingPair(alg);
    const target = await startTarget({ env: { ...calm, API_JWT_PRIVATE_KEY: pair.privatePem }, shared: true });
    const { client } = await createPeople(target.url).register("ada");
    return { alg, pair, target, good: secretsOf(client).access };
  }),
);
afterAll(async () => {
  await Promise.all(stages.map(({ target }) => target.stop()));
});

type Named = readonly (readonly [name: string, token: string])[];

describe.each(stages)("with an $alg key", ({ alg, pair, target, good }) => {
  const claims = claimsOf(good);
  const now = Math.floor(Date.now() / 1000);
  const { header, token } = pair;
  const [head = "", payload = "", signature = ""] = good.split(".");

  /** Resolves to the tokens that are not refused with 401, as a cookie and as a bearer token. */
  async function notRefused(tokens: Named): Promise<string[]> {
    const found: string[] = [];
    const client = createClient(target.url);
    await inParallel(8, tokens, async ([name, each]) => {
      const asBearer = await client.get(auth("me"), { headers: { authorization: `Bearer ${each}` } });
      const asCookie = await client.get(auth("me"), { headers: { cookie: `auth_access=${each}` } });
      const statuses = [asBearer.status, asCookie.status];
      if (statuses.some((status) => status !== 401)) found.push(`${name}: ${statuses.join(", ")}`);
    });
    return found;
  }

  test("T-22 tokens and headers that this service writes are taken", async () => {
    expect(await notRefused([["its own", good]])).toEqual(["its own: 200, 200"]);
    expect(await notRefused([["the same again", token(claims)]])).toEqual(["the same again: 200, 200"]);
  });

  test("T-21 no secret signs in place of the key: neither the configured one nor what is public", async () => {
    const { kid, jwk, publicPem } = pair;
    const der = Buffer.from(publicPem.replaceAll(/-----[A-Z ]+-----|\n/g, ""), "base64");
    const secrets: Readonly<Record<string, string | Buffer>> = {
      "the secret key": jwtSecret,
      "the public key in PEM": publicPem,
      "the public key in PEM, trimmed": publicPem.trim(),
      "the public key in DER": der,
      "the published key": JSON.stringify(jwk),
      "the key set": JSON.stringify({ keys: [jwk] }),
      "its coordinate": jwk.x ?? "",
      "the bytes of its coordinate": decode(jwk.x ?? ""),
      "its name": kid,
      nothing: "",
      "a NUL": "\0",
    };
    const headers = [
      { alg: "HS256", typ: "JWT" },
      { ...header, alg: "HS256" },
      { ...header, alg: "HS384" },
      { ...header, alg: "HS512" },
      header,
    ];
    const mac = (secret: string | Buffer, each: { readonly alg: string }): string => {
      const body = `${encode(each)}.${payload}`;
      const digest = each.alg.startsWith("HS") ? `sha${each.alg.slice(2)}` : "sha256";
      return `${body}.${createHmac(digest, secret).update(body).digest("base64url")}`;
    };
    const tokens = Object.entries(secrets).flatMap(([name, secret]) =>
      headers.map((each) => [`${name} as ${each.alg} (${"kid" in each})`, mac(secret, each)] as const),
    );
    expect(await notRefused([...tokens, ["as before the key", forge(claims)]])).toEqual([]);
  });

  test("T-22 a header that this service does not write is refused, though the key has signed it", async () => {
    let visits = 0;
    const bait = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch() {
        visits += 1;
        return Response.json({ keys: [attacker.jwk] });
      },
    });
    const attacker = signingPair(alg);
    const url = bait.url.href;
    const changes: Readonly<Record<string, object>> = {
      ...Object.fromEntries(
        ["none", "None", "", "RS256", "PS256", "ES384", "ES512", "ES256K", "Ed25519", "eddsa", "es256", "dir"].map(
          (name) => [`alg ${name}`, { alg: name }],
        ),
      ),
      "alg null": { alg: null },
      "alg in a list": { alg: [alg] },
      "no alg": { alg: undefined },
      "no kid": { kid: undefined },
      "kid null": { kid: null },
      "kid in a list": { kid: [pair.kid] },
      "another kid": { kid: attacker.kid },
      "a path as kid": { kid: "../../../../../../dev/null" },
      "an address as kid": { kid: url },
      "a query as kid": { kid: "' union select 'attacker" },
      "a gigantic kid": { kid: "k".repeat(1_200) },
      "no typ": { typ: undefined },
      "typ JWT": { typ: "JWT" },
      "typ in capitals": { typ: "AT+JWT" },
      "typ in full": { typ: "application/at+jwt" },
      "typ of a proof": { typ: "dpop+jwt" },
      "typ of a logout": { typ: "logout+jwt" },
      "typ in a list": { typ: ["at+jwt"] },
      jku: { jku: url },
      x5u: { x5u: url },
      x5c: { x5c: ["MIIB"] },
      x5t: { x5t: pair.kid },
      jwk: { jwk: attacker.jwk },
      "its own jwk": { jwk: pair.jwk },
      "crit of nothing": { crit: [] },
      "crit of a claim": { crit: ["exp"] },
      "crit of the unknown": { crit: ["unknown"], unknown: true },
      "b64 without crit": { b64: false },
      "b64 with crit": { b64: false, crit: ["b64"] },
      "b64 as usual": { b64: true, crit: ["b64"] },
      cty: { cty: "JWT" },
      zip: { zip: "DEF" },
      enc: { enc: "A256GCM" },
    };
    const text = JSON.stringify(header);
    const spellings: Readonly<Record<string, string>> = {
      "alg twice, none first": text.replace("{", '{"alg":"none",'),
      "alg twice, none last": text.replace("}", ',"alg":"none"}'),
      "another order": JSON.stringify({ typ: header.typ, kid: header.kid, alg }),
      spaces: JSON.stringify(header, undefined, 1),
      "a prototype": text.replace("}", ',"__proto__":{"alg":"none"}}'),
      "a byte order mark": `\ufeff${text}`,
      "a list": JSON.stringify([header]),
      "no JSON": "header",
    };
    const named: Named = [
      ...Object.entries(changes).flatMap(([name, change]) => [
        [name, token(claims, { ...header, ...change })] as const,
        [`${name}, signed by another`, attacker.token(claims, { ...header, ...change })] as const,
        [`${name}, unsigned`, `${encode({ ...header, ...change })}.${payload}.`] as const,
        [`${name}, with another signature`, `${encode({ ...header, ...change })}.${payload}.${signature}`] as const,
      ]),
      ...Object.entries(spellings).map(([name, each]) => [name, token(claims, each)] as const),
      ["a key of its own", attacker.token(claims)],
      ["a key of its own under our name", attacker.token(claims, header)],
      ["a payload that is not encoded", `${head}.${JSON.stringify(claims)}.${signature}`],
    ];
    try {
      expect(await notRefused(named)).toEqual([]);
      expect(visits).toBe(0);
    } finally {
      await bait.stop(true);
    }
  });

  test("T-22 a signature of another form is refused", async () => {
    const bytes = decode(signature);
    const [r, s] = [bytes.subarray(0, 32), bytes.subarray(32)];
    const derPart = (part: Buffer): Buffer => {
      const trimmed = part.subarray(part.findIndex((byte) => byte !== 0));
      const positive = (trimmed[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), trimmed]) : trimmed;
      return Buffer.concat([Buffer.of(2, positive.length), positive]);
    };
    const der = Buffer.concat([derPart(r), derPart(s)]);
    const forms: Readonly<Record<string, Buffer>> = {
      "in DER": Buffer.concat([Buffer.of(0x30, der.length), der]),
      "all zeros": Buffer.alloc(64),
      "r alone": Buffer.concat([r, Buffer.alloc(32)]),
      "s alone": Buffer.concat([Buffer.alloc(32), s]),
      "all ones": Buffer.alloc(64, 255),
      "half of it": r,
      "one byte more": Buffer.concat([bytes, Buffer.of(0)]),
      "swapped halves": Buffer.concat([s, r]),
      "of another text": decode(pair.signature(payload)),
    };
    const named = Object.entries(forms).map(
      ([name, form]) => [name, `${head}.${payload}.${form.toString("base64url")}`] as const,
    );
    expect(await notRefused([...named, ["padded", `${good}==`], ["in base64", good.replaceAll("_", "/")]])).toEqual(
      good.includes("_") ? [] : ["in base64: 200, 200"],
    );
  });

  test("T-22 claims of another kind than ours are refused, though the key has signed them", async () => {
    const changes: Readonly<Record<string, object>> = {
      "exp as text": { exp: String(now + 900) },
      "exp past": { exp: now - 61 },
      "exp negative": { exp: -1 },
      "exp null": { exp: null },
      "exp in a list": { exp: [now + 900] },
      "exp true": { exp: true },
      "no exp": { exp: undefined },
      "nbf ahead": { nbf: now + 120 },
      "nbf as text": { nbf: "0" },
      "iat ahead": { iat: now + 120 },
      "iat as text": { iat: String(now) },
      "no iat": { iat: undefined },
      "aud of the admin app": { aud: "admin" },
      "aud in a list": { aud: ["app"] },
      "aud among others": { aud: ["app", "admin"] },
      "aud a number": { aud: 0 },
      "aud an object": { aud: { app: true } },
      "no aud": { aud: undefined },
      "iss in a list": { iss: [claims["iss"]] },
      "iss with a slash": { iss: `${String(claims["iss"])}/` },
      "no iss": { iss: undefined },
      "sub a number": { sub: 1 },
      "sub null": { sub: null },
      "sub in a list": { sub: [claims["sub"]] },
      "no sub": { sub: undefined },
      "sid in capitals": { sid: String(claims["sid"]).toUpperCase() },
      "sid in a list": { sid: [claims["sid"]] },
      "sid an object": { sid: { $ne: "" } },
      "sid unknown": { sid: Bun.randomUUIDv7() },
      "no sid": { sid: undefined },
    };
    const text = JSON.stringify(claims);
    const texts: Readonly<Record<string, string>> = {
      "exp beyond numbers": text.replace(/"exp":\d+/, '"exp":1e999'),
      "sub twice": text.replace("}", ',"sub":7}'),
      "aud twice": text.replace("}", ',"aud":"admin"}'),
      "exp twice": text.replace("}", ',"exp":1}'),
      "a list": `[${text}]`,
      "a token in the token": good,
      "a text": JSON.stringify(text),
      null: "null",
      nothing: "",
      "no JSON": "{",
      "something after it": `${text}x`,
      "a byte order mark": `\ufeff\ufeff${text}`,
      "a prototype": '{"__proto__":{"sub":"ada"}}',
      "lists in lists": `${"[".repeat(600)}${"]".repeat(600)}`,
    };
    const named: Named = [
      ...Object.entries(changes).map(([name, change]) => [name, token({ ...claims, ...change })] as const),
      ...Object.entries(texts).map(([name, each]) => [name, token(each)] as const),
    ];
    expect(await notRefused(named)).toEqual([]);
  });

  test("T-22 other ways to write a signed or an encrypted text are refused", async () => {
    const flattened = JSON.stringify({ payload, protected: head, signature });
    const general = JSON.stringify({ payload, signatures: [{ protected: head, signature }] });
    const named: Named = [
      ["five parts", `${head}..${payload}.${signature}.${signature}`],
      ["detached", `${head}..${signature}`],
      ["flattened", encode(flattened)],
      ["general", encode(general)],
      ["a key set", encode({ keys: [pair.jwk] })],
    ];
    expect(await notRefused(named)).toEqual([]);
  });
});

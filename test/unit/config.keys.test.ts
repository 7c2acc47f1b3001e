import { describe, expect, test } from "bun:test";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { loadConfig, secretValues } from "../../src/config/index.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";
import { signingAlgorithms, signingPair } from "../support/signing.pair.ts";

const load = (env: Readonly<Record<string, string>>) =>
  loadConfig({ app: definitions.app, env: { ...testEnvironment("/nowhere"), ...env } });

function authOf(env: Readonly<Record<string, string>>) {
  const loaded = load(env);
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return { ...loaded.config.auth, secrets: secretValues(loaded.config) };
}
function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  const loaded = load(env);
  return loaded.ok ? [] : loaded.problems;
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const exchange = generateKeyPairSync("x25519");
const [first, second] = [signingPair("EdDSA"), signingPair("ES256")];
const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const spki = { type: "spki", format: "pem" } as const;
const encrypted = { ...pkcs8, cipher: "aes-256-cbc", passphrase: "a passphrase" } as const;
const damaged = first.privatePem.replace(/\n.{20}/, "\n");
const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

const noPem = "must be an Ed25519 or P-256 private key in PEM form (PKCS #8)";
const only = "only Ed25519 and P-256 keys sign tokens";

describe("API_JWT_PRIVATE_KEY", () => {
  test.each(signingAlgorithms)(
    "is a key for %s in PEM, line breaks as they are, of another system, or written \\n",
    (alg) => {
      const { privatePem } = signingPair(alg);
      const pem = privatePem.trim();
      for (const written of [privatePem, pem.replaceAll("\n", "\\n"), `${pem}\\n`, `\n${pem}\n\n`, `a remark\n${pem}`])
        expect(authOf({ API_JWT_PRIVATE_KEY: written }).jwtPrivateKey).toBe(pem);
      expect(authOf({ API_JWT_PRIVATE_KEY: pem.replaceAll("\n", "\r\n") }).jwtPrivateKey).toBe(
        pem.replaceAll("\n", "\r\n"),
      );
      expect(authOf({ API_JWT_PRIVATE_KEY: pem }).secrets).toContain(pem);
    },
  );

  test("is none where it is not set", () => {
    expect(authOf({}).jwtPrivateKey).toBeUndefined();
    expect(authOf({ API_JWT_PRIVATE_KEY: "" }).jwtPrivateKey).toBeUndefined();
  });

  test.each([
    ["an RSA key", rsa.privateKey.export(pkcs8), `is a key of the kind RSA: ${only}`],
    [
      "an RSA key in its older form",
      rsa.privateKey.export({ ...pkcs8, type: "pkcs1" }),
      `is a key of the kind RSA: ${only}`,
    ],
    ["a key on P-384", p384.privateKey.export(pkcs8), `is a key on the curve secp384r1: ${only}`],
    ["a key for another purpose", exchange.privateKey.export(pkcs8), `is a key of the kind X25519: ${only}`],
    ["an encrypted key", p256.privateKey.export(encrypted), "is encrypted: give it without a passphrase"],
    ["a public key", first.publicPem, "is a public key: the private one signs"],
    ["a certificate", certificate, noPem],
    [
      "a P-256 key in its older form",
      p256.privateKey.export({ ...pkcs8, type: "sec1" }),
      "is not in PKCS #8 form: convert it with openssl pkcs8 -topk8 -nocrypt",
    ],
    [
      "two keys",
      `${first.privatePem}${second.privatePem}`,
      "holds more than one key: of earlier ones API_JWT_PREVIOUS_PUBLIC_KEYS has the public halves",
    ],
    ["a damaged key", damaged, "is damaged: no key can be read from it"],
    ["half a key", first.privatePem.slice(0, 60), noPem],
    ["a key of ssh", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----", noPem],
    ["a secret", "a signing key of this test of 32 bytes or more", noPem],
    [
      "a name of a file",
      "/etc/credstore/gatehouse.API_JWT_PRIVATE_KEY",
      `${noPem}: a path goes into the variable of this name with _FILE behind it`,
    ],
  ])("T-24 stops the start as %s, with one sentence that shows nothing of it", (_, value, sentence) => {
    expect(problemsOf({ API_JWT_PRIVATE_KEY: value })).toEqual([`API_JWT_PRIVATE_KEY ${sentence}`]);
  });
});

describe("API_JWT_PREVIOUS_PUBLIC_KEYS", () => {
  const [one, other] = [first.publicPem.trim(), second.publicPem.trim()];

  test("are keys in PEM one after the other, with or without something between them", () => {
    for (const between of ["\n", "\\n", ",", "", "\n\n"])
      expect(authOf({ API_JWT_PREVIOUS_PUBLIC_KEYS: `${one}${between}${other}` }).jwtPreviousPublicKeys).toEqual([
        one,
        other,
      ]);
    const onOneLine = `${first.publicPem}${second.publicPem}`.replaceAll("\n", "\\n");
    expect(authOf({ API_JWT_PREVIOUS_PUBLIC_KEYS: onOneLine }).jwtPreviousPublicKeys).toEqual([one, other]);
    expect(authOf({}).jwtPreviousPublicKeys).toEqual([]);
  });

  test.each([
    ["a private key", first.privatePem, "holds a private key: give the public halves alone"],
    ["a private key among others", `${one}\n${first.privatePem}`, "holds a private key: give the public halves alone"],
    ["something else", "a key", "must be public keys in PEM form (SPKI), one after the other"],
    ["something between keys", `${one}\nand\n${other}`, "must be public keys in PEM form (SPKI), one after the other"],
    ["a certificate", certificate, "must be public keys in PEM form (SPKI), one after the other"],
    [
      "an RSA key",
      `${one}\n${rsa.publicKey.export(spki)}`,
      `is wrong in key 2, which is a key of the kind RSA: ${only}`,
    ],
    [
      "a key on P-384",
      p384.publicKey.export(spki),
      `is wrong in key 1, which is a key on the curve secp384r1: ${only}`,
    ],
    ["a damaged key", one.replace(/\n.{20}/, "\n"), "is wrong in key 1, which is damaged: no key can be read from it"],
  ])("T-24 stop the start where they hold %s", (_, value, sentence) => {
    expect(problemsOf({ API_JWT_PREVIOUS_PUBLIC_KEYS: value })).toEqual([`API_JWT_PREVIOUS_PUBLIC_KEYS ${sentence}`]);
  });
});

/** Keys that stand in documents, with their private halves. */
const published = {
  "RFC 7515": {
    kty: "EC",
    crv: "P-256",
    x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
  },
  "RFC 7517": {
    kty: "EC",
    crv: "P-256",
    x: "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
    y: "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
    d: "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE",
  },
  "RFC 8037": {
    kty: "OKP",
    crv: "Ed25519",
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  },
  "jwt.io": {
    kty: "EC",
    crv: "P-256",
    x: "EVs_o5-uQbTjL3chynL4wXgUg2R9q9UU8I5mEovUf84",
    y: "kGe5DgSIycKp8w9aJmoHhB1sB3QTugfnRWm5nU_TzsY",
    d: "evZzL1gdAFr88hb2OF_2NxApJCzGCEDdfSp6VQO30hw",
  },
} as const;

test.each(Object.entries(published))("T-24 outside local use the example key of %s stops the start", (_, jwk) => {
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  const env = {
    API_JWT_PRIVATE_KEY: key.export(pkcs8),
    API_JWT_PREVIOUS_PUBLIC_KEYS: createPublicKey(key.export(pkcs8)).export(spki),
  };
  expect(problemsOf(env)).toEqual([]);
  const refused = "is an example key of a standard or a tutorial: generate one with key:generate --signing";
  const problems = problemsOf({ ...env, APP_ENV: "staging", APP_URL: "https://auth.example.test" });
  expect(problems.filter((problem) => problem.includes("example key"))).toEqual([
    `API_JWT_PRIVATE_KEY ${refused}`,
    `API_JWT_PREVIOUS_PUBLIC_KEYS holds an example key of a standard or a tutorial: anybody can sign with it`,
  ]);
});

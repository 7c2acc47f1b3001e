import { describe, expect, test } from "bun:test";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { loadConfig, secretValues, type AppName } from "../../src/config/index.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";
import { signingPair } from "../support/signing.pair.ts";

type Env = Readonly<Record<string, string>>;
const load = (env: Env, app: AppName = "app") =>
  loadConfig({ app: definitions[app], env: { ...testEnvironment("/nowhere"), ...env } });

function idpOf(env: Env) {
  const loaded = load(env);
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return { ...loaded.config.idp, secrets: secretValues(loaded.config) };
}
function problemsOf(env: Env, app: AppName = "app"): readonly string[] {
  const loaded = load(env, app);
  return loaded.ok ? [] : loaded.problems;
}

const access = signingPair("EdDSA");
const [rsa, nextRsa] = [signingPair("RS256"), signingPair("RS256")];
const both = { IDP_ENABLED: "true", API_JWT_PRIVATE_KEY: access.privatePem, IDP_RSA_PRIVATE_KEY: rsa.privatePem };
const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const spki = { type: "spki", format: "pem" } as const;
const deployed = { APP_ENV: "staging", APP_URL: "https://auth.example.test" };
const about = (name: string, problems: readonly string[]) => problems.filter((problem) => problem.startsWith(name));

describe("IDP_RSA_PRIVATE_KEY and IDP_PREVIOUS_RSA_PUBLIC_KEYS", () => {
  test("are RSA keys in PEM, line breaks as they are or written \\n, and the private one is a secret", () => {
    const pem = rsa.privatePem.trim();
    for (const written of [pem, pem.replaceAll("\n", "\\n"), `"${pem.replaceAll("\n", "\\n")}"`]) {
      const { rsaPrivateKey, secrets } = idpOf({ IDP_RSA_PRIVATE_KEY: written });
      expect(rsaPrivateKey).toBe(pem);
      // Each line is a part of the key, and no part of it may be logged.
      for (const line of pem.split("\n").slice(1, -1)) expect(secrets).toContain(line);
    }
    const previous = `${rsa.publicPem}${nextRsa.publicPem}`;
    const keys = [rsa.publicPem.trim(), nextRsa.publicPem.trim()];
    for (const written of [previous, previous.replaceAll("\n", "\\n"), keys.join(",")])
      expect(idpOf({ IDP_PREVIOUS_RSA_PUBLIC_KEYS: written }).previousRsaPublicKeys).toEqual(keys);
    expect(idpOf({})).toMatchObject({ rsaPrivateKey: undefined, previousRsaPublicKeys: [] });
  });

  const ofBits = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength });
  const long = createPublicKey({
    key: { kty: "RSA", n: Buffer.alloc(513, 255).toString("base64url"), e: "AQAB" },
    format: "jwk",
  });
  const bounds = "an RSA key that signs tokens has 2048 to 4096";

  test.each([
    ["an Ed25519 key", access.privatePem, "is a key of the kind ED25519: RS256 takes an RSA key"],
    ["a short key", ofBits(1024).privateKey.export(pkcs8), `has 1024 bits: ${bounds}`],
    [
      "a key in its older form",
      createPrivateKey(rsa.privatePem).export({ ...pkcs8, type: "pkcs1" }),
      "is not in PKCS #8 form: convert it with openssl pkcs8 -topk8 -nocrypt",
    ],
    ["a public key", rsa.publicPem, "is a public key: the private one signs"],
    [
      "two keys",
      `${rsa.privatePem}${nextRsa.privatePem}`,
      "holds more than one key: of earlier ones IDP_PREVIOUS_RSA_PUBLIC_KEYS has the public halves",
    ],
    ["a text", "a key of this test", "must be an RSA private key in PEM form (PKCS #8)"],
  ])("T-24 the start is stopped by %s, with one sentence that shows nothing of it", (_, value, sentence) => {
    expect(problemsOf({ IDP_RSA_PRIVATE_KEY: value })).toEqual([`IDP_RSA_PRIVATE_KEY ${sentence}`]);
  });

  test.each([
    ["a private key", rsa.privatePem, "holds a private key: give the public halves alone"],
    [
      "an Ed25519 key",
      `${rsa.publicPem}${access.publicPem}`,
      "is wrong in key 2, which is a key of the kind ED25519: RS256 takes an RSA key",
    ],
    ["a short key", ofBits(1024).publicKey.export(spki), `is wrong in key 1, which has 1024 bits: ${bounds}`],
    ["a long key", long.export(spki), `is wrong in key 1, which has 4104 bits: ${bounds}`],
  ])("T-24 the start is stopped where the earlier ones hold %s", (_, value, sentence) => {
    expect(problemsOf({ IDP_PREVIOUS_RSA_PUBLIC_KEYS: value })).toEqual([`IDP_PREVIOUS_RSA_PUBLIC_KEYS ${sentence}`]);
  });

  // The beginnings of RFC 7515 §A.2, RFC 7517 §A.2 and jwt.io. No private half is needed to know them.
  test.each([
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
    "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
    "u1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0_IzW7yWR7QkrmBL7jTKEn5u-qKhbwKfBstIs-bMY2Zkp18gnTxKLxoS2tFczGkPLPgizskuemMghRniWaoLcyehkd3qqGElvW_VDL5AaWTg0nLVkjRo9z-40RQzuVaE8AkAFmxZzow3x-VJYKdjykkJ0iT9wCS0DRTXu269V264Vf_3jvredZiKRkgwlL9xNAwxXFg0x_XFw005UWVRIkdgcKWTjpBP2dPwVZ4WWC-9aGVd-Gyn1o0CLelf4rEjGoXbAAEgAqeGUxrcIlbjXfbcmw",
  ])("T-24 outside local use an example key stops the start: %.8s…", (n) => {
    const pem = createPublicKey({ key: { kty: "RSA", n, e: "AQAB" }, format: "jwk" }).export(spki);
    expect(problemsOf({ IDP_PREVIOUS_RSA_PUBLIC_KEYS: pem })).toEqual([]);
    expect(about("IDP_", problemsOf({ ...deployed, IDP_ENABLED: "false", IDP_PREVIOUS_RSA_PUBLIC_KEYS: pem }))).toEqual(
      ["IDP_PREVIOUS_RSA_PUBLIC_KEYS holds an example key of a standard or a tutorial: anybody can sign with it"],
    );
  });
});

describe("IDP_ENABLED", () => {
  test("is on locally, where missing keys are made when they are needed, and off elsewhere", () => {
    expect(idpOf({ APP_ENV: "local" })).toMatchObject({ enabled: true, rsaPrivateKey: undefined });
    expect(idpOf({}).enabled).toBe(false);
    expect(about("IDP_", problemsOf(deployed))).toEqual([]);
  });

  test("O-32 outside local use stops the start without both keys, and names the command that prints them", () => {
    const needsAccess =
      "API_JWT_PRIVATE_KEY is required with IDP_ENABLED: key:generate --idp prints it and IDP_RSA_PRIVATE_KEY";
    const needsRsa = "IDP_RSA_PRIVATE_KEY is required with IDP_ENABLED: key:generate --idp prints it";
    const { API_JWT_PRIVATE_KEY, IDP_RSA_PRIVATE_KEY } = both;
    for (const env of ["testing", "staging", "production"] as const) {
      const problems = (more: Env): readonly string[] =>
        problemsOf({ ...deployed, APP_ENV: env, IDP_ENABLED: "true", ...more }).filter((each) =>
          each.includes("IDP_ENABLED"),
        );
      expect(problems({})).toEqual([needsAccess, needsRsa]);
      expect(problems({ API_JWT_PRIVATE_KEY })).toEqual([needsRsa]);
      expect(problems({ IDP_RSA_PRIVATE_KEY })).toEqual([needsAccess]);
      expect(problems(both)).toEqual([]);
    }
  });

  test("set to false takes no key away and asks for none; the admin app asks for none either", () => {
    expect(problemsOf({ ...both, IDP_ENABLED: "false" })).toEqual([]);
    expect(problemsOf({ IDP_ENABLED: "true" }, "admin")).toEqual([]);
  });

  test("needs https in APP_URL where people depend on it", () => {
    const problems = problemsOf({ ...deployed, ...both, APP_URL: "http://auth.example.test" });
    expect(about("APP_URL", problems)).toEqual(["APP_URL must be https with IDP_ENABLED: it is the issuer"]);
  });
});

describe("IDP_CLIENT_METADATA_DOCUMENTS and IDP_REGISTRATION", () => {
  test("are off unless they are set", () => {
    expect(idpOf({})).toMatchObject({ clientMetadataDocuments: "off", registration: "off" });
    for (const word of ["off", "any"] as const)
      expect(idpOf({ IDP_CLIENT_METADATA_DOCUMENTS: word }).clientMetadataDocuments).toBe(word);
    for (const word of ["off", "token", "open"] as const)
      expect(idpOf({ IDP_REGISTRATION: word }).registration).toBe(word);
    expect(problemsOf({ IDP_REGISTRATION: "any" })).toEqual(["IDP_REGISTRATION must be one of off, token, open"]);
  });

  test("hosts are read as URLs have them, each once", () => {
    const value =
      "Agents.Example.com, tools.example:8443,b\u00fccher.example,agents.example.com:443,localhost:3010,[::1]:80,127.1";
    expect(idpOf({ IDP_CLIENT_METADATA_DOCUMENTS: value }).clientMetadataDocuments).toEqual([
      "agents.example.com",
      "tools.example:8443",
      "xn--bcher-kva.example",
      "localhost:3010",
      "[::1]:80",
      "127.0.0.1",
    ]);
  });

  test.each([
    ["off and a host", "off,example.com"],
    ["a word", "none"],
    ["a URL", "https://example.com"],
    ["a path", "example.com/agents"],
    ["a wildcard", "*.example.com"],
    ["somebody at a host", "me@example.com"],
    ["no port", "example.com:port"],
    ["a dot at the end", "example.com."],
    ["nothing", ","],
  ])("%s stops the start", (_, value) => {
    expect(problemsOf({ IDP_CLIENT_METADATA_DOCUMENTS: value })).toEqual([
      "IDP_CLIENT_METADATA_DOCUMENTS must be off, any, or hosts such as example.com or localhost:8080, separated by commas",
    ]);
  });

  test("outside local and testing a private address stops the start", () => {
    const env = { ...both, ...deployed };
    for (const host of ["localhost:3010", "127.0.0.1", "10.0.0.7:8443", "[fd00::1]"]) {
      const documents = { IDP_CLIENT_METADATA_DOCUMENTS: `agents.example.com,${host}` };
      expect(problemsOf(documents)).toEqual([]);
      expect(about("IDP_", problemsOf({ ...env, ...documents }))).toEqual([
        "IDP_CLIENT_METADATA_DOCUMENTS must not name a private address outside local and testing",
      ]);
    }
    expect(about("IDP_", problemsOf({ ...env, IDP_CLIENT_METADATA_DOCUMENTS: "agents.example.com" }))).toEqual([]);
  });
});

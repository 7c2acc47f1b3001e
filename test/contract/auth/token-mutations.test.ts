import { describe, expect, test } from "bun:test";
import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { browserWith, claimsOf, forge, inParallel, isServed, jwtSecret, secretsOf } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";

const { target, people } = await stage();
const ada = await people.register("ada");
/** A valid access token of ada. */
const good = secretsOf(ada.client).access;

const accepts = (access: string): Promise<boolean> => isServed(browserWith(target.url, { access }));
const acceptedOf = async (tokens: readonly string[]): Promise<string[]> => {
  const accepted: string[] = [];
  await inParallel(8, tokens, async (token) => {
    if (await accepts(token)) accepted.push(token);
  });
  return accepted;
};

describe("altered and forged access tokens", () => {
  test("T-01 any one-bit change in header, payload or signature is refused", async () => {
    const parts = good.split(".").map((part) => Buffer.from(part, "base64url"));
    const mutants = parts.flatMap((part, index) =>
      Array.from({ length: part.length * 8 }, (_, bit) => {
        const flipped = Buffer.from(part);
        flipped.writeUInt8(part.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        return parts.map((each, place) => (place === index ? flipped : each).toString("base64url")).join(".");
      }),
    );
    expect(mutants.length).toBeGreaterThan(1_500);
    expect(await acceptedOf(mutants)).toEqual([]);
  });

  test("T-01 one spelling alone is accepted: no change of any character, none left out, none added", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const neighbours = [...good].map((character, at) => {
      const other = character === "." ? "A" : (alphabet[alphabet.indexOf(character) ^ 1] ?? "A");
      return `${good.slice(0, at)}${other}${good.slice(at + 1)}`;
    });
    const shorter = Array.from({ length: good.length }, (_, at) => `${good.slice(0, at)}${good.slice(at + 1)}`);
    const last = good.at(-1) ?? "";
    const tails = [...alphabet]
      .filter((character) => character !== last)
      .map((character) => `${good.slice(0, -1)}${character}`);
    const added = [
      `${good}=`,
      `${good}==`,
      `${good}A`,
      `${good}.`,
      `.${good}`,
      `${good}.x`,
      `${good}%00`,
      `x${good}`,
      `${good}*`,
    ];
    expect(await acceptedOf([...neighbours, ...shorter.filter((each) => each !== good), ...tails, ...added])).toEqual(
      [],
    );
  });

  test("T-01 empty and truncated tokens are refused", async () => {
    const [head = "", payload = "", signature = ""] = good.split(".");
    const truncated = Array.from({ length: good.length }, (_, length) => good.slice(0, length));
    const partial = [
      "",
      ".",
      "..",
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `.${payload}.${signature}`,
      `${head}..${signature}`,
      "...",
    ];
    expect(await acceptedOf([...truncated, ...partial])).toEqual([]);
  });

  test("T-02 no other algorithm is accepted, nor none at all", async () => {
    const claims = claimsOf(good);
    const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const signature = good.split(".")[2] ?? "";
    const unsigned = ["none", "None", "NONE", "nOnE", "", null, undefined, 0].flatMap((alg) => {
      const body = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
      return [`${body}.`, body, `${body}.${signature}`, forge(claims, jwtSecret, { alg, typ: "JWT" })];
    });
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { privateKey: ecKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const asymmetric = (
      [
        ["RS256", privateKey],
        ["ES256", ecKey],
      ] as const
    ).map(([alg, key]) => {
      const body = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
      return `${body}.${createSign("sha256").update(body).sign({ key, dsaEncoding: "ieee-p1363" }, "base64url")}`;
    });
    const hmac = (alg: string, digest: string) => {
      const body = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
      return `${body}.${createHmac(digest, jwtSecret).update(body).digest("base64url")}`;
    };
    const otherHmac = [
      hmac("HS384", "sha384"),
      hmac("HS512", "sha512"),
      hmac("HS256", "sha512"),
      hmac("HS512", "sha256"),
      hmac("hs256", "sha256"),
    ];
    const renamed = ["RS256", "ES256", "PS256", "EdDSA", "HS384", "dir"].map((alg) =>
      forge(claims, jwtSecret, { alg, typ: "JWT" }),
    );
    expect(await acceptedOf([...unsigned, ...asymmetric, ...otherHmac, ...renamed])).toEqual([]);
  });

  test("T-02 a key that is empty, guessed or another's is refused", async () => {
    const keys = [
      "x",
      "secret",
      "changeme",
      "\0",
      jwtSecret.slice(0, -1),
      `${jwtSecret} `,
      jwtSecret.toUpperCase(),
      "null",
      "undefined",
    ];
    expect(await acceptedOf(keys.map((key) => forge(claimsOf(good), key)))).toEqual([]);
  });
});

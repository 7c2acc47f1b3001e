import { afterEach, expect, setSystemTime, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { ExchangeFailure } from "../../src/oauth/exchange/failure.ts";
import { createIdTokens } from "../../src/oauth/exchange/id.token.ts";
import { createOutbound } from "../../src/oauth/exchange/outbound.ts";

afterEach(() => {
  setSystemTime();
});

const second = 1_000;
const minute = 60 * second;
const nonce = "a nonce of this sign-in";

/** Publishes keys by the names that the tests give them, and takes tokens that are signed with any of them. */
async function startKeys() {
  const keys = new Map<string, { readonly jwk: object; readonly privateKey: CryptoKey }>();
  let published: readonly object[] = [];
  let fetched = 0;
  let down = false;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      fetched += 1;
      return down ? new Response("", { status: 500 }) : Response.json({ keys: published });
    },
  });
  const issuer = server.url.origin;
  const { verify } = createIdTokens({
    clientId: "a client",
    jwksUrl: `${issuer}/jwks`,
    issuerFor: () => issuer,
    send: createOutbound({ plainHttp: true }),
    clock: { now: () => Date.now() },
  });

  async function keyOf(name: string) {
    const known = keys.get(name);
    if (known !== undefined) return known;
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const key = { jwk: { ...(await exportJWK(publicKey)), alg: "ES256", use: "sig" }, privateKey };
    keys.set(name, key);
    return key;
  }

  /** Resolves to what becomes of a token of now. Its header names the key unless it is to have no `kid`. */
  async function outcome(name: string, header: { readonly kid?: string } = { kid: name }): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const token = await new SignJWT({ nonce })
      .setProtectedHeader({ alg: "ES256", ...header })
      .setIssuer(issuer)
      .setSubject("1001")
      .setAudience("a client")
      .setIssuedAt(now)
      .setExpirationTime(now + 300)
      .sign((await keyOf(name)).privateKey);
    return verify(token, nonce).then(
      () => "taken",
      (error: unknown) => (error instanceof ExchangeFailure ? error.reason : String(error)),
    );
  }

  return {
    fetched: () => fetched,
    fail: (isDown: boolean) => void (down = isDown),
    outcome,

    async publish(...names: string[]): Promise<void> {
      published = await Promise.all(names.map(async (name) => ({ ...(await keyOf(name)).jwk, kid: name })));
    },

    /** Publishes the keys under one `kid`, or under none. */
    async publishAlike(kid: string | undefined, ...names: string[]): Promise<void> {
      published = await Promise.all(
        names.map(async (name) => ({ ...(await keyOf(name)).jwk, ...(kid !== undefined && { kid }) })),
      );
    },

    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const start = Date.now();
const pass = (ms: number) => void setSystemTime(start + ms);

test("M-58 a key that the provider has changed to works at once, however soon after the last look", async () => {
  await using provider = await startKeys();
  pass(0);
  await provider.publish("first");
  expect(await provider.outcome("first")).toBe("taken");
  await provider.publish("first", "second");
  expect(await provider.outcome("second")).toBe("taken");
  await provider.publish("second", "third");
  expect(await provider.outcome("third")).toBe("taken");
  expect(await provider.outcome("second")).toBe("taken");
  expect(provider.fetched()).toBe(3);
});

test("M-58 so does one whose tokens name no key, or the name of the key before", async () => {
  for (const kid of [undefined, "the only one"]) {
    await using provider = await startKeys();
    const header = kid === undefined ? {} : { kid };
    pass(0);
    await provider.publishAlike(kid, "first");
    expect(await provider.outcome("first", header)).toBe("taken");
    await provider.publishAlike(kid, "second");
    expect(await provider.outcome("second", header)).toBe("taken");
    expect(await provider.outcome("first", header)).toBe("id_token_signature");
    expect(provider.fetched()).toBe(3);
  }
});

test("F-05 of several keys that a token may mean, the one that has signed it counts, and no other", async () => {
  for (const kid of [undefined, "all of them"]) {
    await using provider = await startKeys();
    await provider.publishAlike(kid, "first", "second", "third");
    for (const header of kid === undefined ? [{}] : [{}, { kid }]) {
      for (const name of ["third", "second", "first"]) expect(await provider.outcome(name, header)).toBe("taken");
      expect(await provider.outcome("fourth", header)).toBe("id_token_signature");
    }
  }
});

test("M-58 tokens that no key fits lead to one look at the keys in five seconds, however many come", async () => {
  await using provider = await startKeys();
  pass(0);
  await provider.publish("first");
  expect(await provider.outcome("foreign")).toBe("id_token_signature");
  expect(provider.fetched()).toBe(1);
  const refuseMany = async (header?: object): Promise<void> => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => provider.outcome("foreign", header)));
    expect(new Set(outcomes)).toEqual(new Set(["id_token_signature"]));
  };
  for (let round = 0; round < 3; round += 1) {
    for (const within of [0, 1, 4]) {
      pass((round * 5 + within) * second);
      for (const header of [undefined, {}, { kid: "first" }]) await refuseMany(header);
      expect(provider.fetched()).toBe(2 + round);
    }
  }
  await provider.publish("first", "second");
  pass(15 * second);
  for (const name of ["second", "first"]) expect(await provider.outcome(name)).toBe("taken");
  expect(provider.fetched()).toBe(5);
});

test("M-58 those who come together after a change share one look", async () => {
  await using provider = await startKeys();
  pass(0);
  await provider.publish("first");
  expect(await provider.outcome("first")).toBe("taken");
  await provider.publish("second");
  const both = await Promise.all(
    Array.from({ length: 20 }, (_, index) => provider.outcome(index % 2 === 0 ? "second" : "foreign")),
  );
  expect(both.filter((outcome) => outcome === "taken")).toHaveLength(10);
  expect(provider.fetched()).toBe(2);
});

test("M-58 a provider that can't be asked for its keys keeps those that are known, and is asked no oftener", async () => {
  await using provider = await startKeys();
  pass(0);
  await provider.publish("first");
  expect(await provider.outcome("first")).toBe("taken");
  provider.fail(true);
  expect(await provider.outcome("second")).toBe("keys_invalid");
  for (let time = 0; time < 5; time += 1) expect(await provider.outcome("second")).toBe("id_token_signature");
  expect(await provider.outcome("first")).toBe("taken");
  expect(provider.fetched()).toBe(2);
});

test("F-05 a key that the provider has withdrawn is believed for ten minutes at most", async () => {
  await using provider = await startKeys();
  pass(0);
  await provider.publish("first");
  expect(await provider.outcome("first")).toBe("taken");
  await provider.publish("second");
  pass(9 * minute);
  expect(await provider.outcome("first")).toBe("taken");
  expect(provider.fetched()).toBe(1);
  pass(10 * minute + second);
  expect(await provider.outcome("first")).toBe("id_token_signature");
});

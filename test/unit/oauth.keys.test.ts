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

async function startKeys() {
  const keys = new Map<string, { readonly jwk: object; readonly privateKey: CryptoKey }>();
  const published = new Set<string>();
  let fetched = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      fetched += 1;
      return Response.json({ keys: [...published].map((kid) => keys.get(kid)?.jwk) });
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

  return {
    fetched: () => fetched,
    stop: () => server.stop(true),

    async publish(...kids: string[]): Promise<void> {
      published.clear();
      for (const kid of kids) {
        published.add(kid);
        if (keys.has(kid)) continue;
        const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
        keys.set(kid, { jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" }, privateKey });
      }
    },

    /** Resolves to what becomes of a token of now that is signed with that key. */
    async outcome(kid: string): Promise<string> {
      const key = keys.get(kid)?.privateKey;
      if (key === undefined) throw new Error(`no key ${kid}`);
      const now = Math.floor(Date.now() / 1000);
      const token = await new SignJWT({ nonce })
        .setProtectedHeader({ alg: "ES256", kid })
        .setIssuer(issuer)
        .setSubject("1001")
        .setAudience("a client")
        .setIssuedAt(now)
        .setExpirationTime(now + 300)
        .sign(key);
      return verify(token, nonce).then(
        () => "taken",
        (error: unknown) => (error instanceof ExchangeFailure ? error.reason : String(error)),
      );
    },
  };
}

test("F-05 keys are asked for anew for one that is not among them, twice a minute at most", async () => {
  const provider = await startKeys();
  try {
    const start = Date.now();
    setSystemTime(start);
    await provider.publish("first");
    expect(await provider.outcome("first")).toBe("taken");
    await provider.publish("first", "second");
    for (let time = 0; time < 5; time += 1) expect(await provider.outcome("second")).toBe("id_token_signature");
    expect(provider.fetched()).toBe(1);
    setSystemTime(start + 31 * second);
    expect(await provider.outcome("second")).toBe("taken");
    expect(await provider.outcome("first")).toBe("taken");
    expect(provider.fetched()).toBe(2);
  } finally {
    await provider.stop();
  }
});

test("F-05 a key that the provider has withdrawn is believed for ten minutes at most", async () => {
  const provider = await startKeys();
  try {
    const start = Date.now();
    setSystemTime(start);
    await provider.publish("first");
    expect(await provider.outcome("first")).toBe("taken");
    await provider.publish("second");
    setSystemTime(start + 9 * minute);
    expect(await provider.outcome("first")).toBe("taken");
    expect(provider.fetched()).toBe(1);
    setSystemTime(start + 10 * minute + second);
    expect(await provider.outcome("first")).toBe("id_token_signature");
  } finally {
    await provider.stop();
  }
});

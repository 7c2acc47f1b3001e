import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";
import { minute, second, type Clock } from "../../core/clock.ts";
import { ExchangeFailure } from "./failure.ts";
import type { Outbound } from "./outbound.ts";

interface KeyOptions {
  readonly jwksUrl: string;
  readonly send: Outbound;
  readonly clock: Clock;
}

/** The most keys of a provider: none signs with so many, and each of them is kept. */
const mostKeys = 100;
const keysLastMs = 10 * minute;
/** How long a look at the keys that was in vain is not repeated: otherwise each bad token would cause one. */
const restMs = 5 * second;

/**
 * Keeps the keys of a provider, and returns the way to verify a token by them. Keys are fetched when first needed, after ten minutes, and
 * when no known one fits a token, since the provider may have changed them a moment ago: then the token gets a second try.
 */
export function createKeys({ jwksUrl, send, clock }: KeyOptions) {
  let fetches = 0;
  let lookedInVainAt: number | undefined;
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cacheMaxAge: keysLastMs,
    // The library would look again for the name of a key alone, and not for a signature that fits none.
    cooldownDuration: Infinity,
    [customFetch]: async (url) => {
      fetches += 1;
      const { status, text } = await send(url, { method: "GET" });
      if (countKeys(text) > mostKeys) throw new ExchangeFailure("keys_invalid", { detail: `more than ${mostKeys}` });
      return new Response(text, { status });
    },
  });

  /** Fetches the keys, unless that was done since the token was first tried, or in vain a moment ago. Joins a fetch under way. */
  async function lookAgain(fetchesBefore: number): Promise<void> {
    const isResting = lookedInVainAt !== undefined && Math.abs(clock.now() - lookedInVainAt) < restMs;
    if (!keys.reloading) {
      if (isResting || fetches !== fetchesBefore) return;
      lookedInVainAt = clock.now();
    }
    await keys.reload();
  }

  return async function verifyByKeys<T>(verify: (key: JWTVerifyGetKey) => Promise<T>): Promise<T> {
    const fetchesBefore = fetches;
    try {
      return await byAnyOf(keys, verify);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) && !isWrongSignature(error)) throw error;
      await lookAgain(fetchesBefore);
      const verified = await byAnyOf(keys, verify);
      lookedInVainAt = undefined;
      return verified;
    }
  };
}

const isWrongSignature = (error: unknown): boolean => error instanceof errors.JWSSignatureVerificationFailed;

/** Tries every key that the token may mean: without the name of a key those are all of its kind. */
async function byAnyOf<T>(keys: JWTVerifyGetKey, verify: (key: JWTVerifyGetKey) => Promise<T>): Promise<T> {
  try {
    return await verify(keys);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await verify(() => key);
      } catch (failure) {
        if (!isWrongSignature(failure)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** Counts the keys by their types, since each key names one (RFC 7517 §4.1). */
const countKeys = (keySet: string): number => keySet.split('"kty"').length - 1;

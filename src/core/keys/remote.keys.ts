import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";
import { minute, second, type Clock } from "../clock.ts";

interface KeyOptions {
  readonly url: string;
  /** Fetches the keys as a text of JSON. It has a timeout and a bound. */
  readonly load: (url: string) => Promise<{ readonly status: number; readonly text: string }>;
  /** Makes the error for more keys than anybody has. */
  readonly tooMany: (most: number) => Error;
  readonly clock: Clock;
}

/** The most keys of an issuer: none signs with so many, and each of them is kept. */
const mostKeys = 100;
const keysLastMs = 10 * minute;
/** How long a look at the keys that was in vain is not repeated: otherwise each bad token would cause one. */
const restMs = 5 * second;

/**
 * Keeps the keys of an issuer of tokens, and returns the way to verify a token by them. Keys are fetched when first needed, after ten minutes, and
 * when no known one fits a token, since the issuer may have changed them a moment ago: then the token gets a second try.
 */
export function createRemoteKeys({ url: at, load, tooMany, clock }: KeyOptions) {
  let fetches = 0;
  let lookedInVainAt: number | undefined;
  const keys = createRemoteJWKSet(new URL(at), {
    cacheMaxAge: keysLastMs,
    // The library would look again for the name of a key alone, and not for a signature that fits none.
    cooldownDuration: Infinity,
    [customFetch]: async (url) => {
      fetches += 1;
      const { status, text } = await load(url);
      if (countKeys(text) > mostKeys) throw tooMany(mostKeys);
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
export async function byAnyOf<T>(keys: JWTVerifyGetKey, verify: (key: JWTVerifyGetKey) => Promise<T>): Promise<T> {
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

export type RemoteKeys = ReturnType<typeof createRemoteKeys>;

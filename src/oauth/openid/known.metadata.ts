import { hour, second, type Clock } from "../../core/clock.ts";
import type { Metadata } from "./metadata.ts";

interface KnownMetadataOptions {
  /** Rejects with ExchangeFailure. */
  readonly discover: () => Promise<Metadata>;
  /** Is told why a provider could not be asked again while its older metadata still serve. */
  readonly onStale: (error: unknown) => void;
  readonly clock: Clock;
}

const freshMs = hour;
/** So long a provider's metadata may serve while it can't be asked again. */
const longestMs = 24 * hour;
const retryAfterMs = 30 * second;

/**
 * Keeps the metadata of one provider. It is asked when a sign-in first needs them, once for all that wait, and again after an
 * hour, while sign-ins go on with what is known. A provider that fails is left alone for half a minute, in which sign-ins with
 * it fail at once.
 */
export function createKnownMetadata({ discover, onStale, clock }: KnownMetadataOptions) {
  let known: { readonly metadata: Metadata; readonly readAt: number } | undefined;
  let failed: { readonly error: unknown; readonly at: number } | undefined;
  let asking: Promise<Metadata> | undefined;

  async function ask(): Promise<Metadata> {
    try {
      const metadata = await discover();
      known = { metadata, readAt: clock.now() };
      failed = undefined;
      return metadata;
    } catch (error) {
      failed = { error, at: clock.now() };
      throw error;
    }
  }

  const askOnce = (): Promise<Metadata> =>
    (asking ??= ask().finally(() => {
      asking = undefined;
    }));

  return async (): Promise<Metadata> => {
    const now = clock.now();
    // A time that lies ahead is from a clock that has been set back since.
    const isWithin = (at: number, ms: number): boolean => Math.abs(now - at) < ms;
    const isLeftAlone = failed !== undefined && isWithin(failed.at, retryAfterMs);
    if (known !== undefined && isWithin(known.readAt, longestMs)) {
      if (!isWithin(known.readAt, freshMs) && !isLeftAlone && asking === undefined) askOnce().catch(onStale);
      return known.metadata;
    }
    if (isLeftAlone) throw failed?.error;
    return askOnce();
  };
}

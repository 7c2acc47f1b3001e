import { hour, type Clock, type Millis } from "../../core/clock.ts";
import { contentHash, mac, secretsEqual } from "../../core/crypto.ts";
import type { Params } from "../protocol/params.ts";

/** The parameter by which a request comes back from the sign-in page. */
export const askedParam = "asked";

const longestMs = hour;

/** Returns one text for a request, whatever the order of its parameters. */
export const fingerprint = (entries: Params["entries"]): string =>
  contentHash(
    JSON.stringify(
      entries.filter(([name]) => name !== askedParam).toSorted(([a, b], [c, d]) => (a + b < c + d ? -1 : 1)),
    ),
  );

/**
 * Remembers, in the address itself, when a request led its person to the sign-in page. A proof that is younger was given for this request.
 * The mark is signed and belongs to the request that it was made for: nobody can ask for an older proof to count.
 */
export const createAskedMarks = (key: Uint8Array, clock: Clock) => {
  const tagOf = (at: string, entries: Params["entries"]): string => mac(key, `asked.${at}.${fingerprint(entries)}`);
  return {
    make(entries: Params["entries"]): string {
      const at = String(clock.now());
      return `${at}.${tagOf(at, entries)}`;
    },

    /** Returns when the person was asked because of this request; undefined where they were not, or too long ago. */
    read({ entries, get }: Params): Millis | undefined {
      const [at = "", tag = ""] = (get(askedParam) ?? "").split(".");
      if (!/^\d{13,15}$/.test(at) || !secretsEqual(tag, tagOf(at, entries))) return undefined;
      return Math.abs(clock.now() - Number(at)) <= longestMs ? Number(at) : undefined;
    },
  };
};

export type AskedMarks = ReturnType<typeof createAskedMarks>;

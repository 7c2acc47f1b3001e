import type { Result } from "../../../../client/index.ts";
import { lastWay } from "../../acts/storage.ts";

/** The ways to sign in around the form for the password; `form` says whether there is one. */
export interface Ways {
  readonly before: readonly string[];
  readonly form: boolean;
  readonly after: readonly string[];
  /** The way that this browser used last. */
  readonly last: string | undefined;
}

/** Puts the way that this browser used last before all others, and splits them where the form for the password stands. */
export function waysAround(offered: readonly string[], last: string | undefined = lastWay.read()): Ways {
  const isOffered = last !== undefined && offered.includes(last);
  const ways = isOffered ? [last, ...offered.filter((way) => way !== last)] : offered;
  const at = ways.indexOf("password");
  return {
    before: at < 0 ? ways : ways.slice(0, at),
    form: at >= 0,
    after: at < 0 ? [] : ways.slice(at + 1),
    last: isOffered ? last : undefined,
  };
}

/** Keeps the way that has led in. A second step may still follow. */
export function kept<T>(result: Result<T>, way: string): Result<T> {
  if (result.ok || result.code === "mfa_required") lastWay.keep(way);
  return result;
}

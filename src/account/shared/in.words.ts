import type { Chapters, Words } from "./words.ts";

/** Refusals that concern a field, in the words of the fault that they stand for. */
const faultsOfRefusals: Readonly<Partial<Record<string, keyof Words["faults"]>>> = {
  invalid_credentials: "wrong_password",
  reauthentication_required: "wrong_password",
};

const isKey = <T extends object>(words: T, code: string): code is keyof T & string => Object.hasOwn(words, code);

/** Describes the fault of a field by its code, in the reader's language and with the field's label. */
export function faultInWords({ faults }: Words, code: string, label: string): string {
  if (code === "required") return faults.required({ label });
  const name = faultsOfRefusals[code] ?? code;
  return isKey(faults, name) && name !== "required" ? faults[name] : faults.other;
}

/** The text of `denied_by_hook` where the operator's program gave none of its own. */
const unsaid = "this was not allowed";

/** Refusals that have to do with where the page is open. */
const ofAddress = /^(?:cross_site_|passkey_origin)/;

/** Describes a refusal by its code: what happened, and what to do. A program of the operator that refused may have said why in `said`. */
export function refusalInWords({ refusals }: Words, code: string, said?: string): string {
  if (ofAddress.test(code)) return refusals.wrong_address;
  if (code === "denied_by_hook" && said !== undefined && said !== unsaid) return said;
  return isKey(refusals, code) ? refusals[code] : refusals.other;
}

/** A factor or an identity that was added to an account, for the page of its reset. */
interface AddedThing {
  readonly kind: "identity" | "totp" | "passkey";
  readonly name: string;
}

/** Writes a name, or a sentence, with a capital letter. */
export const beginningUpper = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** Describes the added factor or identity. */
export function addedInWords({ kind, name }: AddedThing, words: Chapters["links"]["reset"]["added"]): string {
  return kind === "totp" ? words.totp : words[kind]({ name: kind === "identity" ? beginningUpper(name) : name });
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Writes a duration, rounded down: "one hour", "30 minutes". */
export const lasting = (ms: number, { time }: Words): string =>
  ms < hour
    ? time.minutes({ count: Math.max(1, Math.floor(ms / minute)) })
    : time.hours({ count: Math.floor(ms / hour) });

const units = [
  ["year", 365 * day],
  ["month", 30 * day],
  ["day", day],
  ["hour", hour],
  ["minute", minute],
] as const;

/** Writes how far away a moment is: "2 hours ago", "in 5 minutes". Returns undefined for less than a minute. */
export function howFar(ms: number, tag: string): string | undefined {
  const [unit, length] = units.find(([, each]) => Math.abs(ms) >= each) ?? [];
  if (unit === undefined || length === undefined) return undefined;
  return new Intl.RelativeTimeFormat(tag, { numeric: "auto" }).format(Math.trunc(ms / length), unit);
}

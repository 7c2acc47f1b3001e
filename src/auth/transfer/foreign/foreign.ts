import { isKnownProvider, type KnownProvider } from "../../../core/people/providers.ts";
import type { Layout } from "../records.ts";

/** An account of another system, in the fields of an import. */
export interface Converted {
  /** As the other system names it. Its own ids are kept where they are UUIDs. */
  readonly sourceId: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ConvertSettings {
  /** How Firebase makes hashes in the project that the accounts are from. */
  readonly firebase: FirebaseParameters | undefined;
}

export interface FirebaseParameters {
  readonly signerKey: string;
  readonly saltSeparator: string;
  readonly rounds: string;
  readonly memCost: string;
}

/** What another system exports. */
export interface Foreign {
  readonly layout: Layout;
  /** Throws NotTaken. */
  convert(account: Fields, settings: ConvertSettings): Converted;
}

/** Says in words why the account can't come along. */
export class NotTaken extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotTaken";
  }
}

export type Fields = ReadonlyMap<string, unknown>;

/** The fields of an object; none of anything else. */
export const fieldsOf = (value: unknown): Fields =>
  new Map(typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : []);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text that says something. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

/** Both names of a person, or one of them. */
export const nameOf = (...names: readonly unknown[]): string | undefined =>
  textOf(names.flatMap((name) => textOf(name)?.trim() ?? []).join(" "));

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
/** JSON that stands in a field as a text. */
export const unwrapped = (value: unknown): unknown => (typeof value === "string" ? parsed(value) : value);

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const idIfUuid = (id: string | undefined): string | undefined =>
  id !== undefined && uuid.test(id) ? id : undefined;

/** Time in milliseconds since 1970, as a number or in digits. */
export const timeOf = (value: unknown): string | undefined => {
  const at = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof at === "number" && Number.isInteger(at) && Math.abs(at) < 8.64e15
    ? new Date(at).toISOString()
    : undefined;
};

/** Who a provider's subjects are from. Microsoft's are of no use: they are different for each app that people sign in to. */
const issuers: Readonly<Record<KnownProvider, string | undefined>> = {
  google: "https://accounts.google.com",
  github: "https://github.com/login/oauth",
  microsoft: undefined,
  apple: "https://appleid.apple.com",
};

/** The identity at a provider that this service knows as well; none at another. */
export function identityOf(provider: unknown, subject: unknown): readonly object[] {
  const name = textOf(provider)?.replace(/\.com$/, "") ?? "";
  const issuer = isKnownProvider(name) ? issuers[name] : undefined;
  const sub = typeof subject === "number" ? String(subject) : textOf(subject);
  return issuer === undefined || sub === undefined ? [] : [{ provider: name, issuer, subject: sub }];
}

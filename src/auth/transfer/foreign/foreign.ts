import { isKnownProvider, type KnownProvider } from "../../../core/people/providers.ts";
import type { Layout } from "../records.ts";

/** An account of another system, in the fields of an import. */
export interface Converted {
  /** The other system's id. It is kept as the account's id where it is a UUID. */
  readonly sourceId: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ConvertSettings {
  /** How Firebase makes hashes in the project that the accounts are from. */
  readonly firebase: FirebaseParameters | undefined;
  /** Names of an app's own fields that people write themselves. */
  readonly userFields: ReadonlySet<string>;
  /** Names of an app's own fields that the account's person does not see. */
  readonly privateFields: ReadonlySet<string>;
  /** Takes the names of an app's own fields that the export has. */
  readonly met: Set<string>;
}

export interface FirebaseParameters {
  readonly signerKey: string;
  readonly saltSeparator: string;
  readonly rounds: string;
  readonly memCost: string;
}

/** The export of another system. */
export interface Foreign {
  readonly layout: Layout;
  /** Converts an account. Throws NotTaken. */
  convert(account: Fields, settings: ConvertSettings): Converted;
}

/** Says in words why the account can't be imported. */
export class NotTaken extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotTaken";
  }
}

export type Fields = ReadonlyMap<string, unknown>;

/** Returns the fields of an object; none of any other value. */
export const fieldsOf = (value: unknown): Fields =>
  new Map(typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : []);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a text that is not blank. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

/** Joins the names of a person, of which some may be missing. */
export const nameOf = (...names: readonly unknown[]): string | undefined =>
  textOf(names.flatMap((name) => textOf(name)?.trim() ?? []).join(" "));

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
/** Parses JSON that a field holds as a text. */
export const unwrapped = (value: unknown): unknown => (typeof value === "string" ? parsed(value) : value);

/**
 * Returns an object of JSON, which the other system may keep as a text, without members of these names; undefined where there is none. What
 * is no object stays as it is, so that the field refuses it.
 */
export function objectOf(value: unknown, without: readonly string[] = []): unknown {
  const object = value === "" ? null : unwrapped(value);
  if (object === null) return undefined;
  if (typeof object !== "object" || Array.isArray(object)) return object ?? value;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !without.includes(name)));
}

/**
 * Sorts an app's own fields by who writes and reads them. A field that was not named counts as written by services: then no person can change
 * here what they could not change there.
 */
export function metadataOf(
  fields: readonly (readonly [string, unknown])[],
  { userFields, privateFields, met }: ConvertSettings,
): Readonly<Record<string, unknown>> {
  for (const [name] of fields) met.add(name);
  const kindOf = (name: string): string => {
    if (privateFields.has(name)) return "private_metadata";
    return userFields.has(name) ? "user_metadata" : "app_metadata";
  };
  const sorted = Map.groupBy(fields, ([name]) => kindOf(name));
  return Object.fromEntries(Array.from(sorted, ([kind, members]) => [kind, Object.fromEntries(members)]));
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const idIfUuid = (id: string | undefined): string | undefined =>
  id !== undefined && uuid.test(id) ? id : undefined;

/** Reads a time in milliseconds since 1970, as a number or in digits. */
export const timeOf = (value: unknown): string | undefined => {
  const at = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof at === "number" && Number.isInteger(at) && Math.abs(at) < 8.64e15
    ? new Date(at).toISOString()
    : undefined;
};

/** The issuers of providers' subjects. Microsoft's subjects are of no use: they are different for each app that people sign in to. */
const issuers: Readonly<Record<KnownProvider, string | undefined>> = {
  google: "https://accounts.google.com",
  github: "https://github.com/login/oauth",
  microsoft: undefined,
  apple: "https://appleid.apple.com",
};

/** Returns the identity at a provider that this service knows as well; none for any other provider. */
export function identityOf(provider: unknown, subject: unknown): readonly object[] {
  const name = textOf(provider)?.replace(/\.com$/, "") ?? "";
  const issuer = isKnownProvider(name) ? issuers[name] : undefined;
  const sub = typeof subject === "number" ? String(subject) : textOf(subject);
  return issuer === undefined || sub === undefined ? [] : [{ provider: name, issuer, subject: sub }];
}

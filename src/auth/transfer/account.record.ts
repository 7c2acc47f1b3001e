import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { hour, readTimestamp, timestamp, type Clock, type Millis } from "../../core/clock.ts";
import { invalidFields } from "../../core/errors.ts";
import { FieldFault, isFault, missingField, unknownNames, wrongType, type FieldFaults } from "../../core/fields.ts";
import { isId, newId } from "../../core/ids.ts";
import { bodyOf, field, type Field } from "../../http/index.ts";
import { mergePatchField, readStored } from "../metadata/merge.patch.ts";
import { metadataNames, newMetadata } from "../metadata/metadata.ts";
import { metadataKinds, noMetadata, type Metadata } from "../metadata/metadata.repository.ts";
import { readStoredHash } from "../password/stored.hash.ts";
import { addressKey, imageUrl, languageTag, ownUsernameKey, timeZone } from "../user/profile.fields.ts";
import { applyRoles, readRoles } from "../user/roles.ts";
import type { UserRow } from "../user/user.repository.ts";
import { freshUser } from "../user/user.row.ts";

/** An identity at a provider that belongs to the account's person. */
export interface TransferredIdentity {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
}

/** An account as an import makes it, and as an export finds it. */
export interface TransferredAccount {
  readonly user: UserRow;
  /** Undefined where nothing is kept on the account. */
  readonly metadata: Metadata | undefined;
  readonly identities: readonly TransferredIdentity[];
}

const mostIdentities = 20;

const id = field.text({
  most: 36,
  rule: (text) => (isId(text.toLowerCase()) ? text.toLowerCase() : new FieldFault("invalid_value", "must be a UUID")),
});

export const passwordHash = field.text({
  most: 1_024,
  schema: { description: "A hash that another system has made: bcrypt, scrypt, Argon2 or PBKDF2 in a common form" },
  rule(text) {
    const hash = readStoredHash(text);
    if (hash === undefined) return new FieldFault("invalid_value", "must be a password hash of a kind that is known");
    return hash.excess === undefined ? text : new FieldFault("invalid_value", hash.excess);
  },
});

/** A time that has passed, in RFC 3339. */
export const pastTime = (clock: Clock): Field<string> =>
  field.text({
    most: 40,
    rule(text) {
      const at = readTimestamp(text);
      // A day ahead is allowed, for a clock that was set in another zone.
      return at !== undefined && at <= clock.now() + 24 * hour
        ? timestamp(at)
        : new FieldFault("invalid_value", "must be a time of the past, for example 2026-01-31T12:00:00Z");
    },
  });

/** A list whose members `readOne` reads. The fault of the first wrong member is the fault of the list. */
const list = <T>(most: number, what: string, readOne: (value: unknown) => T | FieldFault): Field<readonly T[]> => ({
  schema: {},
  read(value) {
    if (!Array.isArray(value)) return wrongType(`a list of ${what}`);
    if (value.length > most) return new FieldFault("invalid_value", `must be ${most} ${what} at most`);
    const members: T[] = [];
    for (const sent of value) {
      const member = readOne(sent);
      if (isFault(member)) return member;
      members.push(member);
    }
    return members;
  },
});

const Identity = Type.Object({
  provider: Type.String({ minLength: 1, maxLength: 64 }),
  issuer: Type.String({ minLength: 1, maxLength: 2_048 }),
  subject: Type.String({ minLength: 1, maxLength: 255 }),
});
/** Whether a text is shown and stored as it is, by every database. */
const isPlain = (text: string): boolean => text.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(text);
const readIdentity = (value: unknown): TransferredIdentity | FieldFault => {
  if (!Value.Check(Identity, value))
    return new FieldFault("invalid_value", "must each have a provider, its issuer and a subject");
  const { provider, issuer, subject } = value;
  return [provider, issuer, subject].every(isPlain)
    ? { provider, issuer, subject }
    : new FieldFault("invalid_characters", "must have no control characters and no half characters");
};
/** An identity that a line names twice is one. */
const distinct = (identities: readonly TransferredIdentity[]): readonly TransferredIdentity[] => [
  ...new Map(identities.map((each) => [JSON.stringify(each), each])).values(),
];

/** Makes a field that may be left out, null or empty. */
const optional = <T>({ schema, read }: Field<T>): Field<T | undefined> => ({
  schema,
  isOptional: true,
  read: (value) => (value === undefined || value === null || value === "" ? undefined : read(value)),
});

/** The fields of an account that a line may have, with the rules of a registration where it has the field. */
const fieldsBy = (clock: Clock) => ({
  id: optional(id),
  email: field.text({ most: 320 }),
  username: optional(field.text({ most: 320 })),
  display_name: optional(field.text({ most: 200 })),
  avatar_url: optional(field.text({ most: 2_048, rule: imageUrl })),
  email_verified: optional(field.flag()),
  active: optional(field.flag()),
  roles: optional(list(1_000, "roles", field.text({ most: 64 }).read)),
  created_at: optional(pastTime(clock)),
  locale: optional(field.text({ most: 64, rule: languageTag })),
  timezone: optional(field.text({ most: 64, rule: timeZone })),
  password_hash: optional(passwordHash),
  external_id: optional(field.text({ most: 128 })),
  terms_version: optional(field.text({ most: 64 })),
  terms_accepted_at: optional(pastTime(clock)),
  app_metadata: mergePatchField(""),
  user_metadata: mergePatchField(""),
  private_metadata: mergePatchField(""),
  identities: optional(list(mostIdentities, "identities", readIdentity)),
});

/**
 * Makes a function that reads an account, and throws `invalid_payload` with the fields that are at fault. With `verified` every address
 * counts as proven.
 */
export function createAccountReader(clock: Clock) {
  const fields = fieldsBy(clock);
  const body = bodyOf(fields)["~standard"];
  // Refuses unknown fields: a misspelt field, or one of another system, must not be lost without a word.
  const unknownFields = (sent: object): FieldFaults =>
    unknownNames(Object.keys(sent), (name) => Object.hasOwn(fields, name), "is no field of an account");
  return async (sent: unknown, verified: boolean): Promise<TransferredAccount> => {
    if (typeof sent !== "object" || sent === null || Array.isArray(sent))
      throw invalidFields({ account: wrongType("an object of JSON") });
    const unknown = unknownFields(sent);
    if (Object.keys(unknown).length > 0) throw invalidFields(unknown);
    const { value } = await body.validate(sent);
    return accountOf(verified ? { ...value, email_verified: true } : value, clock.now());
  };
}

type Fields = ReturnType<typeof fieldsBy>;
type Sent = { readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never };

function accountOf(value: Sent, now: Millis): TransferredAccount {
  const emailKey = addressKey(value.email);
  const username = value.username ?? value.email;
  const usernameKey = value.username === undefined ? emailKey : ownUsernameKey(username, emailKey);
  const { terms_version: termsVersion = null, terms_accepted_at: termsAcceptedAt } = value;
  if ((termsVersion === null) !== (termsAcceptedAt === undefined))
    throw invalidFields({ [termsVersion === null ? "terms_version" : "terms_accepted_at"]: missingField });
  if (isFault(emailKey)) throw invalidFields({ email: emailKey });
  if (isFault(usernameKey)) throw invalidFields({ username: usernameKey });
  const createdAt = value.created_at === undefined ? now : Date.parse(value.created_at);
  return {
    user: freshUser({
      id: value.id ?? newId(),
      username,
      usernameKey,
      email: value.email,
      emailKey,
      displayName: value.display_name ?? username,
      avatarUrl: value.avatar_url ?? null,
      passwordHash: value.password_hash ?? null,
      active: value.active === false ? 0 : 1,
      // The time of the proof is not known; the time of the account stands for it, so that nothing of the account counts as older than the
      // proof.
      emailVerifiedAt: value.email_verified === true ? createdAt : null,
      timezone: value.timezone ?? null,
      locale: value.locale ?? null,
      createdAt,
      externalId: value.external_id ?? null,
      termsVersion,
      termsAcceptedAt: termsAcceptedAt === undefined ? null : Date.parse(termsAcceptedAt),
      roles: applyRoles("", { add: value.roles ?? [], remove: [] }).stored,
    }),
    metadata: newMetadata({ app: value.app_metadata, user: value.user_metadata, private: value.private_metadata }),
    identities: distinct(value.identities ?? []),
  };
}

/** Returns the objects that hold something, as a line has them. */
const keptOf = (metadata: Metadata | undefined) =>
  Object.fromEntries(
    metadataKinds.flatMap((kind) => {
      const stored = metadata?.[kind] ?? noMetadata[kind];
      return stored === noMetadata[kind] ? [] : [[metadataNames[kind], readStored(stored)]];
    }),
  );

/** Returns the account as a line, as an export writes it and an import reads it. */
export const accountRecord = ({ user, metadata, identities }: TransferredAccount, withHash: boolean) => ({
  id: user.id,
  email: user.email,
  username: user.username,
  display_name: user.displayName,
  ...(user.avatarUrl !== null && { avatar_url: user.avatarUrl }),
  email_verified: user.emailVerifiedAt !== null,
  active: user.active === 1,
  roles: readRoles(user.roles),
  created_at: timestamp(user.createdAt),
  ...(user.locale !== null && { locale: user.locale }),
  ...(user.timezone !== null && { timezone: user.timezone }),
  ...(user.externalId !== null && { external_id: user.externalId }),
  ...(user.termsVersion !== null && { terms_version: user.termsVersion }),
  ...(user.termsAcceptedAt !== null && { terms_accepted_at: timestamp(user.termsAcceptedAt) }),
  ...keptOf(metadata),
  identities: identities.map(({ provider, issuer, subject }) => ({ provider, issuer, subject })),
  ...(withHash && user.passwordHash !== null && { password_hash: user.passwordHash }),
});

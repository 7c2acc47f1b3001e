import { memberOf, type ClaimName, type PlainClaim } from "../../../core/people/claims.ts";
import type { Log } from "../../../observe/index.ts";
import { isObject, readStored, withoutPrototypes, type Json, type JsonObject } from "../../metadata/merge.patch.ts";
import type { UserRow } from "../../user/user.repository.ts";
import { readRoles } from "../../user/roles.ts";

/** The columns of an account that claims are made of. `appMetadata` is a text of JSON; null where nothing is kept. */
export interface ClaimedUser extends Pick<
  UserRow,
  "roles" | "email" | "emailVerifiedAt" | "displayName" | "locale" | "externalId"
> {
  readonly appMetadata: string | null;
}

/** A session that may act for an organization. */
export interface ActingSession {
  /** The id of the organization, its slug and the roles of the session's person, with one space between two. Null where it acts for none. */
  readonly actsFor: string | null;
}

/** Returns the organization that a session acts for; undefined where it acts for none, or its person is no member any more. */
export function organizationOf({ actsFor }: Partial<ActingSession>) {
  if (actsFor === undefined || actsFor === null) return undefined;
  const [id = "", slug = "", ...roles] = actsFor.split(" ");
  return { id, slug, roles };
}

type Claimable = Omit<ClaimedUser, "locale"> & Partial<ActingSession>;

/** Tokens travel with every request, and cookies have room for 4 KiB. */
const mostBytes = 1024;

/** Claims that the service itself writes where it is asked to, or that standards give a meaning: nobody else sets them. */
const reserved: ReadonlySet<string> = new Set(
  [
    "iss sub aud exp nbf iat jti sid usr amr acr azp act cnf scope client_id auth_time nonce token_type username active",
    "roles groups entitlements email email_verified name preferred_username external_id app_metadata user_metadata",
    "org_id org_slug org_roles",
  ].flatMap((names) => names.split(" ")),
);

const plain: Readonly<Record<Exclude<PlainClaim, "org">, (user: Claimable) => Json>> = {
  roles: ({ roles }) => readRoles(roles),
  email: ({ email }) => email,
  email_verified: ({ emailVerifiedAt }) => emailVerifiedAt !== null,
  name: ({ displayName }) => displayName,
  external_id: ({ externalId }) => externalId,
};
const isPlain = (name: string): name is keyof typeof plain => Object.hasOwn(plain, name);

/** Returns the organizations of a person from the lines in which they are read. */
export const organizationsOf = (lines: string | null | undefined) =>
  (lines ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [id = "", slug = "", roles = "", ...name] = line.split(" ");
      return { id, slug, name: name.join(" "), roles: roles.split(",") };
    });

/** Returns the claims of the organization that a session acts for; none where it acts for none. */
function organizationClaims(session: Partial<ActingSession>): JsonObject {
  const found = organizationOf(session);
  return found === undefined ? {} : { org_id: found.id, org_slug: found.slug, org_roles: found.roles };
}

const hasRoom = (claims: JsonObject): boolean => Buffer.byteLength(JSON.stringify(claims)) <= mostBytes;

/** Returns the claims with one more, of that name for the log, or as they were. */
type Add = (claims: JsonObject, name: string, extended: JsonObject) => JsonObject;
const addAlways: Add = (_claims, _name, extended) => extended;

interface ClaimsOptions {
  /** The claims that the operator has asked for, in the order in which they take the room. */
  readonly names: readonly ClaimName[];
  readonly log: Pick<Log, "warn">;
}

/** Makes the claims of an account. What has no value is left out, and so is what there is no room for, of which the log tells once. */
export function createClaims({ names, log }: ClaimsOptions) {
  const told = new Set<string>();

  const addWithin: Add = (claims, name, extended) => {
    if (hasRoom(extended)) return extended;
    if (!told.has(name)) {
      told.add(name);
      log.warn("a claim is left out of tokens: there is no more room", { claim: name, most_bytes: mostBytes });
    }
    return claims;
  };

  function withNamed(claims: JsonObject, name: ClaimName, user: Claimable, kept: JsonObject, add: Add): JsonObject {
    if (name === "org") return add(claims, name, { ...claims, ...organizationClaims(user) });
    const member = memberOf(name);
    if (member === undefined) {
      const value = isPlain(name) ? plain[name](user) : null;
      return value === null ? claims : add(claims, name, { ...claims, [name]: value });
    }
    const value = Object.hasOwn(kept, member) ? kept[member] : undefined;
    if (value === undefined) return claims;
    const { app_metadata: before } = claims;
    return add(claims, name, { ...claims, app_metadata: { ...(isObject(before) && before), [member]: value } });
  }

  function gather(user: Claimable, more: JsonObject, kept: JsonObject, add: Add): JsonObject {
    let claims: JsonObject = {};
    for (const name of names) claims = withNamed(claims, name, user, kept, add);
    for (const [name, value] of Object.entries(more)) claims = add(claims, "of a hook", { ...claims, [name]: value });
    return claims;
  }

  /** Returns the claims. `more` are further ones that a hook has given: they never stand in the place of ours. */
  return (user: Claimable, more: JsonObject = {}): JsonObject => {
    const kept = user.appMetadata === null ? {} : readStored(user.appMetadata);
    // Nearly always there is room for all of them, which is looked at once and not for each.
    const all = gather(user, more, kept, addAlways);
    return hasRoom(all) ? all : gather(user, more, kept, addWithin);
  };
}

export type Claims = ReturnType<typeof createClaims>;

/**
 * Returns those of the claims of a hook, or of a verified token, that the service does not write itself and that mean nothing to others. No
 * name of them, at whatever depth, reaches a prototype in a program that copies carelessly.
 */
export const furtherClaims = (payload: Readonly<Record<string, unknown>>): JsonObject =>
  withoutPrototypes(Object.fromEntries(Object.entries(payload).filter(([name]) => !reserved.has(name))));

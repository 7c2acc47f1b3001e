import type { By, Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError, invalidFields } from "../../core/errors.ts";
import { isFault } from "../../core/fields.ts";
import type { Job } from "../../core/job.ts";
import type { Statement } from "../../drivers/database/index.ts";
import { mostTriesBesideOthers, tryAnew } from "../../core/pace/anew.ts";
import type { Evictions } from "../flow/eviction/eviction.ts";
import type { Parts } from "../flow/parts.ts";
import { addressMovedJob, noticeJob, undoLink } from "../mail/jobs.ts";
import { metadataNames, patchedMetadata, type MetadataPatch } from "../metadata/metadata.ts";
import { metadataKinds, type Metadata, type MetadataKind } from "../metadata/metadata.repository.ts";
import { findConflict } from "../user/find.ts";
import { addressKey, ownUsernameKey } from "../user/profile.fields.ts";
import { applyRoles, hasAdmin, readRoles } from "../user/roles.ts";
import type { UserRow } from "../user/user.repository.ts";
import { isMatch, type AccountTags } from "./account.tag.ts";
import { createActs } from "./acts.ts";
import { summaryOf } from "./summary.ts";
import { upkeep, type Written } from "./upkeep.repository.ts";

type PatchedField = "email" | "username" | "displayName" | "avatarUrl" | "timezone" | "locale" | "externalId";

/** What is to change of an account. An undefined field stays as it is; null empties it. */
export type AccountPatch = { readonly [Field in PatchedField]?: UserRow[Field] | undefined } & {
  /** Whether the address counts as proven. A new address does not, unless this says so. */
  readonly emailVerified?: boolean | undefined;
  /** The whole list of roles. */
  readonly roles?: readonly string[] | undefined;
  readonly metadata?: MetadataPatch | undefined;
};

export interface PatchCircumstances {
  readonly by: By;
  /** The header If-Match of the request: the entity tags of which one must be the account's. */
  readonly ifMatch: string | null;
  /** Called with the account before it is changed, each time that it is read. Throws where the actor may not change it. */
  readonly check?: ((user: UserRow) => void) | undefined;
}

type PatchOptions = Parts<"users" | "metadata" | "grants" | "journal" | "clock"> & {
  readonly evictions: Evictions;
  readonly tagOf: AccountTags;
};

/** Names of fields as the API has them. Events tell by them what was changed. */
const namesOf: Readonly<Record<Exclude<keyof Written, "emailKey" | "usernameKey"> | MetadataKind, string>> = {
  email: "email",
  emailVerifiedAt: "email_verified",
  username: "username",
  displayName: "display_name",
  avatarUrl: "avatar_url",
  timezone: "timezone",
  locale: "locale",
  externalId: "external_id",
  roles: "roles",
  ...metadataNames,
};

/** Returns what a patch wants, of which null is a value; where it wants nothing, what was there. */
const chosen = <T>(wanted: T | undefined, stored: T): T => (wanted === undefined ? stored : wanted);

/** Returns the account as the patch makes it. Throws `invalid_payload`. */
function written(user: UserRow, patch: AccountPatch, clock: Clock): Written {
  const { email = user.email, roles = readRoles(user.roles) } = patch;
  // The account's own address is not judged anew: today's rules might refuse it to a new account.
  const emailKey = email === user.email ? user.emailKey : addressKey(email);
  const isMoved = emailKey !== user.emailKey;
  // A user name that is the address follows it.
  const username = patch.username ?? (user.usernameKey === user.emailKey ? email : user.username);
  const usernameKey = username === user.username ? user.usernameKey : ownUsernameKey(username, emailKey);
  if (isFault(emailKey) || isFault(usernameKey)) throw invalidFields({ email: emailKey, username: usernameKey });
  const isVerified = patch.emailVerified ?? (!isMoved && user.emailVerifiedAt !== null);
  const provenAt = isMoved ? clock.now() : (user.emailVerifiedAt ?? clock.now());
  return {
    email,
    emailKey,
    emailVerifiedAt: isVerified ? provenAt : null,
    username,
    usernameKey,
    displayName: patch.displayName ?? user.displayName,
    avatarUrl: chosen(patch.avatarUrl, user.avatarUrl),
    timezone: chosen(patch.timezone, user.timezone),
    locale: chosen(patch.locale, user.locale),
    externalId: chosen(patch.externalId, user.externalId),
    roles: applyRoles("", { add: roles, remove: [] }).stored,
  };
}

/** Changes of accounts by programs that keep data of their own on them. */
export function createPatches({ users, metadata, grants, journal, evictions, tagOf, clock }: PatchOptions) {
  const acts = createActs({ users, journal });

  /**
   * Returns what moving the account to another address takes besides the address: the links that went to the left one are void, and where
   * that one was proven it is told, with a link that takes the change back.
   */
  function moving(user: UserRow, to: Written): { statements: readonly Statement[]; jobs: readonly Job[] } {
    if (to.emailKey === user.emailKey) return { statements: [], jobs: [] };
    const statements = [
      ...evictions.evict(user.id, "address_set").statements,
      users.release(user.id, { email: to.emailKey, username: to.usernameKey }),
    ];
    if (user.emailVerifiedAt === null) return { statements, jobs: [] };
    const link = undoLink(user);
    return {
      statements: [
        ...statements,
        users.keepAddress(user.emailKey, user.id, clock.now()),
        grants.issue({ id: user.id, emailKey: user.emailKey, email: user.email }, link.purpose, link.request),
      ],
      jobs: [addressMovedJob(user, link)],
    };
  }

  /** Returns what another user name takes: the old one is kept from others for a while, and the person is told. */
  function renaming(user: UserRow, to: Written): { statements: readonly Statement[]; jobs: readonly Job[] } {
    const wasAddress = user.usernameKey === user.emailKey;
    if (to.usernameKey === user.usernameKey || (wasAddress && to.usernameKey === to.emailKey))
      return { statements: [], jobs: [] };
    return {
      statements: [
        ...(wasAddress ? [] : [users.keepUsername(user.usernameKey, user.id, clock.now())]),
        users.release(user.id, { email: "", username: to.usernameKey }),
      ],
      jobs: [noticeJob("username_changed", { userId: user.id })],
    };
  }

  function told(user: UserRow, to: Written, changed: readonly string[], by: By): readonly Occurrence[] {
    const payload = { user_id: user.id };
    const [before, after] = [new Set(readRoles(user.roles)), new Set(readRoles(to.roles))];
    return [
      { topic: "auth.user-updated", payload: { ...payload, changed: [...changed] }, by },
      ...(to.emailKey === user.emailKey ? [] : [{ topic: "auth.email-changed", payload, by } as const]),
      ...(to.emailVerifiedAt === null || to.emailVerifiedAt === user.emailVerifiedAt
        ? []
        : [{ topic: "auth.email-verified", payload, by, reason: "vouched_for" } as const]),
      ...(to.usernameKey === user.usernameKey ? [] : [{ topic: "auth.username-changed", payload, by } as const]),
      ...[...after.difference(before)].map(
        (role) => ({ topic: "auth.role-added", payload: { ...payload, role }, by }) as const,
      ),
      ...[...before.difference(after)].map(
        (role) => ({ topic: "auth.role-removed", payload: { ...payload, role }, by }) as const,
      ),
    ];
  }

  /** Writes the metadata that has changed. A request that says which state it means holds all of it to that state. */
  function metadataWritten(id: string, from: Metadata, to: Metadata, isExact: boolean): readonly Statement[] {
    const kinds = metadataKinds.filter((kind) => isExact || to[kind] !== from[kind]);
    if (kinds.length === 0) return [];
    return [metadata.change(id, Object.fromEntries(kinds.map((kind) => [kind, { from: from[kind], to: to[kind] }])))];
  }

  /**
   * Changes an account as a whole or not at all, and returns whether anything was changed. Looks again where somebody else has changed it
   * meanwhile. Throws `not_found`, `precondition_failed`, `invalid_payload`, `email_taken`, `username_taken`, `external_id_taken`,
   * `last_admin`, and what `check` throws.
   */
  return (id: string, patch: AccountPatch, { by, ifMatch, check }: PatchCircumstances): Promise<boolean> =>
    tryAnew(async () => {
      const user = await users.byId(id);
      if (user === undefined) throw new AppError("not_found");
      check?.(user);
      const stored = await metadata.of(id);
      if (!isMatch(ifMatch, tagOf(summaryOf({ ...user, displayNameKey: null }), stored)))
        throw new AppError("precondition_failed");
      const to = written(user, patch, clock);
      const kept = patchedMetadata(stored, patch.metadata);
      const changed = changedNames({ ...user, ...stored }, { ...to, ...kept });
      if (changed.length === 0) return false;
      const [moved, renamed] = [moving(user, to), renaming(user, to)];
      const done = await acts.commit({
        user,
        by,
        unseats: hasAdmin(user.roles) && !hasAdmin(to.roles),
        statements: [
          upkeep.write(user, to, clock.now()),
          ...metadataWritten(id, stored, kept, ifMatch !== null),
          ...moved.statements,
          ...renamed.statements,
        ],
        jobs: [...moved.jobs, ...renamed.jobs],
        tell: told(user, to, changed, by),
      });
      if (done !== undefined) return true;
      const conflict = await findConflict(users, { id, ...to }, clock.now());
      if (conflict !== undefined) throw conflict;
      return undefined;
    }, mostTriesBesideOthers);
}

function changedNames(before: Written & Metadata, after: Written & Metadata): readonly string[] {
  const [was, is] = [new Map<string, unknown>(Object.entries(before)), new Map<string, unknown>(Object.entries(after))];
  return Object.entries(namesOf).flatMap(([field, name]) => (was.get(field) === is.get(field) ? [] : [name]));
}

export type PatchAccount = ReturnType<typeof createPatches>;

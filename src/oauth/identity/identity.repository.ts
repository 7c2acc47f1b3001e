import { second, type Millis } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { sql, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";
import type { Profile } from "../exchange/profiles.ts";

/** A whole row of `auth_identities`. */
interface StoredIdentity extends Pick<Profile, "issuer" | "subject"> {
  readonly id: string;
  readonly userId: string;
  readonly provider: string;
  readonly email: string | null;
  readonly username: string | null;
  readonly linkedAt: Millis;
  readonly lastLoginAt: Millis | null;
}

const stored = tableOf<StoredIdentity>("auth_identities", {
  id: "id",
  userId: "user_id",
  provider: "provider",
  issuer: "issuer",
  subject: "subject",
  email: "email",
  username: "username",
  linkedAt: "linked_at",
  lastLoginAt: "last_login_at",
});
/** Without the person's id at the provider. */
const columns = stored.except("issuer", "subject");
const subjectAt = stored.pick("provider", "issuer", "subject");
const subjectOfUser = stored.pick("userId", "provider", "issuer", "subject");
const named = stored.pick("id", "provider");

export type IdentityRow = RowOf<typeof columns>;
type Subject = Pick<StoredIdentity, "issuer" | "subject">;
type SubjectAt = RowOf<typeof subjectAt>;
type Shown = Pick<Profile, "email" | "username">;

const mostListed = 100;
/**
 * A condition: the account was not made with the identity, which is as old as the account. What 0.2.0 wrote in one commit may be some
 * milliseconds apart; nobody registers and links within a second.
 */
const isLater = `linked_at > (select u.created_at + ${second} from users u where u.id = $userId)`;
const newestFirst = `order by linked_at desc, id desc limit ${mostListed}`;
/** A condition: an identity that `unlinkSince` may remove. */
const isLinkedSince = `user_id = $userId and linked_at > $since
  and ${isLater}`;

const found = {
  bySubject: sql`select ${columns} from auth_identities where provider = $provider and issuer = $issuer and subject = $subject`,
  byId: sql`select ${columns} from auth_identities where id = $id and user_id = $userId`,
  list: sql`select ${columns} from auth_identities where user_id = $userId ${newestFirst}`,
  stored: sql`select ${stored} from auth_identities where user_id = $userId ${newestFirst}`,
  since: sql`select ${columns} from auth_identities where ${isLinkedSince} ${newestFirst}`,
  usersAt: sql`select distinct ${stored.pick("userId")} from auth_identities
    where provider = $provider and user_id < $before order by user_id desc limit $limit`,
};

const inserted = stored.insert();
const insertIdentity = `insert into ${inserted.into} values (${inserted.values}) on conflict do nothing`;

/**
 * Owns `auth_identities`: the subject of a provider, and the one user whom it signs in. Methods that change something return a statement
 * for the caller's batch.
 */
export const createIdentityRepository = (db: Database) => ({
  /** By issuer too, since a subject is unique within its issuer alone (OpenID Connect Core §2). */
  find: (provider: string, { issuer, subject }: Subject) => db.get(found.bySubject, { provider, issuer, subject }),

  byId: (id: string, userId: string) => db.get(found.byId, { id, userId }),

  /** Newest first, at most 100. */
  list: (userId: string) => db.all(found.list, { userId }),

  /** As `list`, with the person's id at the provider. */
  listStored: (userId: string) => db.all(found.stored, { userId }),

  /** Returns the identities that `unlinkSince` removes, each under the name by which its person knows it. */
  async listSince(userId: string, since: Millis) {
    const rows = await db.all(found.since, { userId, since });
    return rows.map(({ id, provider, email, username, linkedAt }) => ({
      id,
      name: [provider, email ?? username ?? ""].filter((part) => part !== "").join(", "),
      at: linkedAt,
    }));
  },

  /** Changes nothing when the subject already has a user: one of two racing sign-ups is undone. */
  insert: (
    identity: Pick<StoredIdentity, "id" | "userId" | "provider" | "linkedAt" | "lastLoginAt">,
    profile: Subject & Shown,
  ): Statement => ({
    guard: true,
    sql: insertIdentity,
    params: inserted.params({ ...profile, ...identity, ...shown(profile) }),
  }),

  /** Adds an identity that an import brings along. Fails the batch where somebody has the subject. */
  adopt: (userId: string, subject: SubjectAt, linkedAt: Millis): Statement => ({
    guard: true,
    sql: insertIdentity,
    params: inserted.params({
      ...subject,
      id: newId(),
      userId,
      email: null,
      username: null,
      linkedAt,
      lastLoginAt: null,
    }),
  }),

  /** Returns those of the subjects that have a user. */
  async having(subjects: readonly SubjectAt[]): Promise<readonly SubjectAt[]> {
    if (subjects.length === 0) return [];
    const alike = subjects.map(
      (_, at) => `(provider = $provider${at} and issuer = $issuer${at} and subject = $subject${at})`,
    );
    const params = subjects.flatMap(({ provider, issuer, subject }, at) => [
      [`provider${at}`, provider] as const,
      [`issuer${at}`, issuer] as const,
      [`subject${at}`, subject] as const,
    ]);
    return db.all(
      sql`select ${subjectAt} from auth_identities where ${alike.join(" or ")}`,
      Object.fromEntries(params),
    );
  },

  ofUsers(ids: readonly string[]) {
    const params = Object.fromEntries(ids.map((id, at) => [`id${at}`, id]));
    return db.all(
      sql`select ${subjectOfUser} from auth_identities
       where user_id in (${Object.keys(params)
         .map((name) => `$${name}`)
         .join(", ")}) order by user_id, linked_at, id`,
      params,
    );
  },

  /** Returns the ids of accounts that have an identity at the provider, the greatest first, less than `before`. */
  async usersAt(provider: string, before: string, limit: number): Promise<readonly string[]> {
    return (await db.all(found.usersAt, { provider, before, limit })).map(({ userId }) => userId);
  },

  /** Records a sign-in. Fails the batch unless the identity is still that user's: one that was unlinked meanwhile signs nobody in. */
  loggedIn: ({ id, userId }: IdentityRow, profile: Shown, now: Millis): Statement => ({
    guard: true,
    sql: `update auth_identities set last_login_at = $now, email = $email, username = $username
          where id = $id and user_id = $userId`,
    params: { id, userId, ...shown(profile), now },
  }),

  /** Unlinks an identity. Fails the batch for the last way to sign in: a password or another identity of a provider in use must be left. */
  unlink: (id: string, userId: string, inUse: readonly string[]): Statement => {
    const providers = Object.fromEntries(inUse.map((name, index) => [`provider${index}`, name]));
    // No identity has an empty provider: the list is valid SQL when no provider is in use, too.
    const list = ["''", ...Object.keys(providers).map((name) => `$${name}`)].join(", ");
    return {
      guard: true,
      sql: `delete from auth_identities where id = $id and user_id = $userId
              and (exists (select 1 from users u where u.id = $userId and u.password_hash is not null)
                or exists (select 1 from auth_identities o where o.user_id = $userId and o.id <> $id
                  and o.provider in (${list})))`,
      params: { id, userId, ...providers },
    };
  },

  /** Removes every identity of an account whose address is not proven. Returns `id` and `provider` of each. */
  unlinkUnproven: (userId: string): Statement => ({
    sql: `delete from auth_identities where user_id = $userId
            and exists (select 1 from users u where u.id = $userId and u.email_verified_at is null)
          returning ${named.list}`,
    params: { userId },
  }),

  /** Removes every identity of an account. Returns `id` and `provider` of each. */
  unlinkAll: (userId: string): Statement => ({
    sql: `delete from auth_identities where user_id = $userId returning ${named.list}`,
    params: { userId },
  }),

  /**
   * Removes identities linked later than `since`, except those in `keep` and the one that the account was made with. Returns `id` and
   * `provider` of each.
   */
  unlinkSince: (userId: string, since: Millis, keep: readonly string[]): Statement => ({
    sql: `delete from auth_identities where ${isLinkedSince} and id not in (${["''", ...keep.map((_, at) => `$keep${at}`)].join(", ")})
          returning ${named.list}`,
    params: { userId, since, ...Object.fromEntries(keep.map((id, at) => [`keep${at}`, id])) },
  }),

  /**
   * Removes every identity of an account whose address is not proven, and otherwise those linked before the proof. Returns `id` and
   * `provider` of each.
   */
  unlinkBeforeProof: (userId: string): Statement => ({
    sql: `delete from auth_identities where user_id = $userId
            and exists (select 1 from users u where u.id = $userId
              and (u.email_verified_at is null or auth_identities.linked_at < u.email_verified_at))
          returning ${named.list}`,
    params: { userId },
  }),
});

export type IdentityRepository = ReturnType<typeof createIdentityRepository>;

const longestShown = 320;
const shown = ({ email, username }: Shown) => ({
  email: email?.slice(0, longestShown) ?? null,
  username: username?.slice(0, longestShown) ?? null,
});

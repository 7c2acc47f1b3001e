import { second, type Millis } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { Profile } from "../profiles.ts";

export interface IdentityRow {
  readonly id: string;
  readonly userId: string;
  readonly provider: string;
  readonly email: string | null;
  readonly username: string | null;
  readonly linkedAt: Millis;
  readonly lastLoginAt: Millis | null;
}

/** Everything that is kept of an identity. */
interface StoredIdentity extends IdentityRow {
  readonly issuer: string;
  readonly subject: string;
}

type Subject = Pick<Profile, "issuer" | "subject">;
type SubjectAt = Subject & Pick<IdentityRow, "provider">;
type Shown = Pick<Profile, "email" | "username">;

const columns = `id, user_id as "userId", provider, email, username, linked_at as "linkedAt",
  last_login_at as "lastLoginAt"`;
const mostListed = 100;
/**
 * A condition: the account was not made with the identity, which is as old as the account. What 0.2.0 wrote in one commit may be some
 * milliseconds apart; nobody registers and links within a second.
 */
const isLater = `linked_at > (select u.created_at + ${second} from users u where u.id = $userId)`;

/**
 * Owns `auth_identities`: the subject of a provider, and the one user whom it signs in. The methods that change something
 * return a statement, for the caller's batch.
 */
export const createIdentityRepository = (db: Database) => ({
  /** By issuer too, since a subject is unique within its issuer alone (OpenID Connect Core §2). */
  find: (provider: string, { issuer, subject }: Subject) =>
    db.get<IdentityRow>(
      `select ${columns} from auth_identities where provider = $provider and issuer = $issuer and subject = $subject`,
      { provider, issuer, subject },
    ),

  byId: (id: string, userId: string) =>
    db.get<IdentityRow>(`select ${columns} from auth_identities where id = $id and user_id = $userId`, { id, userId }),

  /** Newest first, at most 100. */
  list: (userId: string) =>
    db.all<IdentityRow>(
      `select ${columns} from auth_identities where user_id = $userId order by linked_at desc, id desc limit ${mostListed}`,
      { userId },
    ),

  /** The same with the person's id at the provider. */
  listStored: (userId: string) =>
    db.all<StoredIdentity>(
      `select ${columns}, issuer, subject from auth_identities where user_id = $userId
       order by linked_at desc, id desc limit ${mostListed}`,
      { userId },
    ),

  /** Those that `unlinkSince` removes, each under the name by which its person knows it. */
  async listSince(userId: string, since: Millis) {
    const rows = await db.all<IdentityRow>(
      `select ${columns} from auth_identities where user_id = $userId and linked_at > $since
         and ${isLater}
       order by linked_at desc, id desc limit ${mostListed}`,
      { userId, since },
    );
    return rows.map(({ id, provider, email, username, linkedAt }) => ({
      id,
      name: [provider, email ?? username ?? ""].filter((part) => part !== "").join(", "),
      at: linkedAt,
    }));
  },

  /** Changes nothing when the subject already has a user: of two racing sign-ups one is undone. */
  insert: (identity: {
    id: string;
    userId: string;
    provider: string;
    profile: Profile;
    now: Millis;
    lastLoginAt: Millis | null;
  }): Statement => ({
    guard: true,
    sql: `insert into auth_identities (id, user_id, provider, issuer, subject, email, username, linked_at, last_login_at)
          values ($id, $userId, $provider, $issuer, $subject, $email, $username, $now, $lastLoginAt)
          on conflict do nothing`,
    params: {
      id: identity.id,
      userId: identity.userId,
      provider: identity.provider,
      issuer: identity.profile.issuer,
      subject: identity.profile.subject,
      ...shown(identity.profile),
      now: identity.now,
      lastLoginAt: identity.lastLoginAt,
    },
  }),

  /** One that an import brings along. Holds only while nobody has the subject. */
  adopt: (userId: string, { provider, issuer, subject }: SubjectAt, linkedAt: Millis): Statement => ({
    guard: true,
    sql: `insert into auth_identities (id, user_id, provider, issuer, subject, linked_at)
          values ($id, $userId, $provider, $issuer, $subject, $linkedAt) on conflict do nothing`,
    params: { id: newId(), userId, provider, issuer, subject, linkedAt },
  }),

  /** Those of the subjects that have a user. */
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
    return db.all<SubjectAt>(
      `select provider, issuer, subject from auth_identities where ${alike.join(" or ")}`,
      Object.fromEntries(params),
    );
  },

  /** All identities of these users. */
  ofUsers(ids: readonly string[]) {
    const params = Object.fromEntries(ids.map((id, at) => [`id${at}`, id]));
    return db.all<SubjectAt & { readonly userId: string }>(
      `select user_id as "userId", provider, issuer, subject from auth_identities
       where user_id in (${Object.keys(params)
         .map((name) => `$${name}`)
         .join(", ")}) order by user_id, linked_at, id`,
      params,
    );
  },

  /** Fails the batch unless the identity is still that user's: one that was unlinked meanwhile signs nobody in. */
  loggedIn: ({ id, userId }: IdentityRow, profile: Shown, now: Millis): Statement => ({
    guard: true,
    sql: `update auth_identities set last_login_at = $now, email = $email, username = $username
          where id = $id and user_id = $userId`,
    params: { id, userId, ...shown(profile), now },
  }),

  /** Fails the batch for the last way to sign in: a password or another identity of a provider in use must be left. */
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
          returning id, provider`,
    params: { userId },
  }),

  /** Removes every identity of an account. Returns `id` and `provider` of each. */
  unlinkAll: (userId: string): Statement => ({
    sql: `delete from auth_identities where user_id = $userId returning id, provider`,
    params: { userId },
  }),

  /**
   * Removes identities linked later than `since`, but for those with these ids and the one that the account was made with. Returns `id` and
   * `provider` of each.
   */
  unlinkSince: (userId: string, since: Millis, keep: readonly string[]): Statement => ({
    sql: `delete from auth_identities where user_id = $userId and linked_at > $since
            and ${isLater} and id not in (${["''", ...keep.map((_, at) => `$keep${at}`)].join(", ")})
          returning id, provider`,
    params: { userId, since, ...Object.fromEntries(keep.map((id, at) => [`keep${at}`, id])) },
  }),

  /** Removes what unlinkUnproven does and, where the address is proven, what was linked before it was. */
  unlinkBeforeProof: (userId: string): Statement => ({
    sql: `delete from auth_identities where user_id = $userId
            and exists (select 1 from users u where u.id = $userId
              and (u.email_verified_at is null or auth_identities.linked_at < u.email_verified_at))
          returning id, provider`,
    params: { userId },
  }),
});

export type IdentityRepository = ReturnType<typeof createIdentityRepository>;

const longestShown = 320;
const shown = ({ email, username }: Shown) => ({
  email: email?.slice(0, longestShown) ?? null,
  username: username?.slice(0, longestShown) ?? null,
});

import type { Config } from "../../config/index.ts";
import type { Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import { emailKey, usernameKey } from "../user/identifiers.ts";
import { emailVerificationJob } from "../mail/jobs.ts";
import { byNobody, byUser, type Journal } from "../journal.ts";
import type { SignedIn } from "./login.service.ts";
import { imageUrl } from "../user/profile.fields.ts";
import type { SessionService } from "../session/session.service.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";

interface FederationOptions {
  readonly config: Pick<Config["auth"], "registerRequiresEmailVerification">;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly sessions: SessionService;
  readonly clock: Clock;
}

/** What a provider says about somebody without an account here. */
export interface Newcomer {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly username: string | undefined;
  readonly displayName: string | undefined;
  readonly avatarUrl: string | undefined;
}

/** How the caller holds on to who vouches for the user: a guard, and what is to be written down with it. */
export interface Proof {
  readonly statement: Statement;
  readonly occurrences: readonly Occurrence[];
}

/** `addressOf`: the user who has the address already. `overtaken`: another request got in between, look again. */
type SignUpResult = SignedIn | { readonly addressOf: string } | "overtaken";

const numberedNames = 5;
const longestName = 48;
const longestDisplayName = 200;

/**
 * Signing in without a password, on the word of somebody else who vouches for the user. The statement by which the caller
 * holds on to that word guards the batch that opens the session: both commit, or neither.
 */
export function createFederation({ config, journal, users, sessions, clock }: FederationOptions) {
  const mustVerify = (user: { emailVerifiedAt: number | null }): boolean =>
    config.registerRequiresEmailVerification && user.emailVerifiedAt === null;

  const refused = (userId: string, reason: string, client: Client): Occurrence => ({
    topic: "auth.login-failed",
    payload: { user_id: userId, reason, count: 1 },
    by: byNobody(client),
    outcome: "failure",
  });

  async function freeName(wish: string): Promise<{ username: string; usernameKey: string } | undefined> {
    for (let number = 1; number <= numberedNames + 1; number += 1) {
      const suffix = number <= numberedNames ? String(number) : String(crypto.getRandomValues(new Uint32Array(1))[0]);
      const username = number === 1 ? wish : `${wish}${suffix}`;
      const key = usernameKey(username);
      if (key !== undefined && (await users.byUsername(key)) === undefined) return { username, usernameKey: key };
    }
    return undefined;
  }

  return {
    /** Somebody came whose address is that user's, and was not let in. */
    async refuseLink(userId: string, client: Client): Promise<AppError> {
      await journal.commit([], [], [refused(userId, "identity_link_required", client)]);
      return new AppError("identity_link_required");
    },

    /** Throws `account_inactive`, or `email_not_verified` as a login would. Undefined when `proof` no longer held. */
    async signIn(user: UserRow, client: Client, proof: Statement): Promise<SignedIn | undefined> {
      if (user.active !== 1) {
        await journal.commit([], [], [refused(user.id, "inactive", client)]);
        throw new AppError("account_inactive");
      }
      if (mustVerify(user)) {
        const occurrence = refused(user.id, "email_not_verified", client);
        await journal.commit([], [emailVerificationJob(user.id)], [occurrence]);
        throw new AppError("email_not_verified");
      }
      const now = clock.now();
      const { id, statement, issued } = await sessions.open(user, client, false);
      const { applied } = await journal.commit(
        [users.signedIn(user.id, now), proof, statement],
        [],
        [{ topic: "auth.logged-in", payload: { user_id: user.id, session_id: id }, by: byUser(client) }],
      );
      return applied ? { user: { ...user, lastLoginAt: now, lastSeenAt: now }, issued } : undefined;
    },

    /**
     * A new account without a password, `proofFor` it and its first session in one commit. Throws `oauth_email_missing`
     * where the address is none that an account can have.
     */
    async signUp(newcomer: Newcomer, client: Client, proofFor: (userId: string) => Proof): Promise<SignUpResult> {
      const { email, displayName } = newcomer;
      const key = emailKey(email);
      if (key === undefined) throw new AppError("oauth_email_missing");
      const owner = await users.byEmail(key);
      if (owner !== undefined) return { addressOf: owner.id };
      const name = await freeName(wishedName(newcomer.username) ?? wishedName(email.split("@")[0]) ?? "user");
      if (name === undefined) return "overtaken";
      const now = clock.now();
      const user: UserRow = {
        id: newId(),
        ...name,
        email,
        emailKey: key,
        displayName: oneLine(displayName ?? "", longestDisplayName) || name.username,
        avatarUrl: avatarOf(newcomer),
        passwordHash: null,
        active: 1,
        emailVerifiedAt: newcomer.emailVerified ? now : null,
        lastLoginAt: null,
        lastSeenAt: null,
        timezone: null,
        locale: null,
        createdAt: now,
      };
      const jobs = newcomer.emailVerified ? [] : [emailVerificationJob(user.id)];
      const proof = proofFor(user.id);
      const registered = (sessionId: string | null): Occurrence[] => [
        { topic: "auth.registered", payload: { user_id: user.id, session_id: sessionId }, by: byUser(client) },
        ...proof.occurrences,
      ];
      if (mustVerify(user)) {
        const { applied } = await journal.commit([users.insert(user), proof.statement], jobs, registered(null));
        if (!applied) return "overtaken";
        throw new AppError("email_not_verified");
      }
      const signedIn = { ...user, lastLoginAt: now, lastSeenAt: now };
      const { id, statement, issued } = await sessions.open(user, client, false);
      const statements = [users.insert(signedIn), proof.statement, statement];
      const { applied } = await journal.commit(statements, jobs, registered(id));
      return applied ? { user: signedIn, issued } : "overtaken";
    },
  };
}

export type Federation = ReturnType<typeof createFederation>;

/** Made fit to be a user name; undefined when nothing of it is. */
function wishedName(text: string | undefined): string | undefined {
  const fit = (text ?? "")
    .normalize("NFKC")
    .replaceAll(/[^\p{L}\p{M}\p{N}._ -]|\p{DI}/gu, "")
    .replace(/^[^\p{L}\p{N}]+/u, "");
  const name = [...fit].slice(0, longestName).join("").trim();
  return usernameKey(name) === undefined ? undefined : name;
}

const oneLine = (text: string, length: number): string =>
  [
    ...text
      .toWellFormed()
      .normalize("NFC")
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " "),
  ]
    .slice(0, length)
    .join("")
    .trim();

/** A picture that can't be used is no reason to refuse somebody. */
function avatarOf({ avatarUrl }: Newcomer): string | null {
  if (avatarUrl === undefined || avatarUrl.length > 2048) return null;
  try {
    return imageUrl("avatar_url", avatarUrl);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

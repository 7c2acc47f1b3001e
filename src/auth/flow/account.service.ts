import type { Config } from "../../config/index.ts";
import type { By, Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Job } from "../../core/job.ts";
import { password, text } from "../../http/index.ts";
import type { Client } from "../client.ts";
import type { GrantService } from "../grant/grant.service.ts";
import { emailKey, mailAddress, usernameKey } from "../user/identifiers.ts";
import { emailVerificationJob, noticeJob } from "../mail/jobs.ts";
import { byNobody, byUser, type Journal } from "../journal.ts";
import type { PasswordHasher } from "../password/password.hash.ts";
import type { PasswordPolicy } from "../password/password.policy.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { SessionRow } from "../session/session.repository.ts";
import type { SessionService } from "../session/session.service.ts";
import type { SignedIn } from "./login.service.ts";
import type { ProfileChange, UserRepository, UserRow } from "../user/user.repository.ts";

interface AccountOptions {
  readonly config: Pick<Config["auth"], "registerRequiresEmailVerification">;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly sessions: SessionService;
  readonly grants: GrantService;
  readonly hasher: PasswordHasher;
  readonly policy: PasswordPolicy;
  readonly pressure: Pressure;
  readonly clock: Clock;
}

export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly username?: string | undefined;
  readonly displayName?: string | undefined;
}

export interface ProfileEdit {
  readonly displayName?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly avatarUrl?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly currentPassword?: string | undefined;
}

/** Text and password in the form in which they are stored (CONTRACT §1), whoever typed them; a name of nothing but spaces is none. */
export const readRegistration = ({ email, password: secret, username, displayName }: Registration): Registration => ({
  email: text("email", email),
  password: password(secret),
  username: text("username", username ?? "") || undefined,
  displayName: text("display_name", displayName ?? "") || undefined,
});

const maxTries = 3;

const invalid = (field: string, complaint: string): AppError =>
  new AppError("invalid_payload", { fields: { [field]: complaint } });

/** An address is a user name only of its own account, so that no name can shadow another's address. */
function namedBy(username: string, email: { key: string }): string {
  const key = usernameKey(username);
  if (key === undefined) throw invalid("username", "must be 1 to 64 letters, digits, spaces or . _ -");
  if (key.includes("@") && key !== email.key) throw invalid("username", "must not be an address other than your own");
  return key;
}

export function createAccountService(options: AccountOptions) {
  const { config, journal, users, sessions, grants, hasher, policy, pressure, clock } = options;

  async function prepare(
    { email, password, username, displayName }: Registration,
    passwordField: string,
  ): Promise<UserRow> {
    const key = emailKey(email);
    if (key === undefined) throw invalid("email", "must be an email address");
    const name = username ?? email;
    const nameKey = namedBy(name, { key });
    await policy.enforce(password, { username: name, email }, passwordField);
    return {
      id: newId(),
      username: name,
      usernameKey: nameKey,
      email,
      emailKey: key,
      displayName: displayName ?? name,
      avatarUrl: null,
      passwordHash: await hasher.hash(password),
      active: 1,
      emailVerifiedAt: null,
      lastLoginAt: null,
      lastSeenAt: null,
      timezone: null,
      locale: null,
      createdAt: clock.now(),
    };
  }

  /** Which of the two belongs to another user; undefined when neither does, or does no longer. */
  async function conflict(user: { id: string; emailKey: string; usernameKey: string }) {
    const [byEmail, byName] = [await users.byEmail(user.emailKey), await users.byUsername(user.usernameKey)];
    if (byEmail !== undefined && byEmail.id !== user.id) return new AppError("email_taken");
    if (byName !== undefined && byName.id !== user.id) return new AppError("username_taken");
    return undefined;
  }

  /** Others were in the way and are gone: to be tried again. */
  const overtaken = (): AppError => new AppError("unavailable", { retryAfterSeconds: 1 });

  /**
   * Whether the address was free is told to its owner alone. That a name of its own is taken is told first, whatever the
   * address: a name known to be taken would else tell free addresses from taken ones.
   */
  async function registerUnverified(user: UserRow, client: Client): Promise<undefined> {
    const isNamedByAddress = user.usernameKey === user.emailKey;
    if (!isNamedByAddress && (await users.byUsername(user.usernameKey)) !== undefined)
      throw new AppError("username_taken");
    // Asked for first, not learnt from a refused insert: a taken address takes no more writes, and so no longer, than a free one.
    let owner = await users.byEmail(user.emailKey);
    if (owner === undefined) {
      const { applied } = await journal.commit(
        [users.insert(user)],
        [emailVerificationJob(user.id)],
        [{ topic: "auth.registered", payload: { user_id: user.id, session_id: null }, by: byUser(client) }],
      );
      if (applied) return undefined;
      owner = await users.byEmail(user.emailKey);
    }
    if (owner === undefined) throw new AppError("username_taken");
    await journal.commit(
      [pressure.mailShare(owner.id)],
      [noticeJob("registration_attempted", { userId: owner.id })],
      [
        {
          topic: "auth.registration-refused",
          payload: { user_id: owner.id },
          by: byNobody(client),
          outcome: "failure",
          reason: "email_taken",
        },
      ],
    );
    return undefined;
  }

  /** The address is a credential (it resets the password): changing it takes the password. */
  async function reauthenticate(
    user: UserRow,
    session: SessionRow,
    password: string | undefined,
    client: Client,
  ): Promise<void> {
    if (password === undefined) throw new AppError("reauthentication_required");
    await pressure.attempt(user.id, client, async (attempt) => {
      const { valid } = await hasher.verify(user.passwordHash, password);
      if (!valid) {
        const failure = { user, why: "wrong_current_password", sessionId: session.id } as const;
        throw await attempt.failed("reauthentication_required", failure);
      }
      await journal.commit(attempt.succeeded, []);
    });
  }

  /** Only case does not matter: what the key folds besides may be another mailbox to the server that gets the mail. */
  const moves = (user: UserRow, email: string | undefined): boolean =>
    email !== undefined && email.toLowerCase() !== user.email.toLowerCase();

  function changesOf(user: UserRow, edit: ProfileEdit): ProfileChange {
    const { email, displayName, avatarUrl, timezone, locale } = edit;
    const key = email === undefined ? user.emailKey : emailKey(email);
    if (key === undefined) throw invalid("email", "must be an email address");
    const username = edit.username ?? (user.usernameKey === user.emailKey ? email : undefined);
    return {
      ...(username === undefined ? {} : { username, usernameKey: namedBy(username, { key }) }),
      ...(email === undefined ? {} : { email, emailKey: key }),
      ...(moves(user, email) ? { emailVerifiedAt: null } : {}),
      displayName,
      avatarUrl,
      timezone,
      locale,
    };
  }

  return {
    /** Undefined in verification mode, where a taken address looks exactly like a free one (CONTRACT §2). */
    async register(registration: Registration, client: Client, remember: boolean): Promise<SignedIn | undefined> {
      const user = await prepare(registration, "password");
      if (config.registerRequiresEmailVerification) return registerUnverified(user, client);
      const now = user.createdAt;
      const signedIn = { ...user, lastLoginAt: now, lastSeenAt: now };
      const { id, statement, issued } = await sessions.open(user, client, remember);
      const { applied } = await journal.commit(
        [users.insert(signedIn), statement],
        [emailVerificationJob(user.id)],
        [{ topic: "auth.registered", payload: { user_id: user.id, session_id: id }, by: byUser(client) }],
      );
      if (!applied) throw (await conflict(user)) ?? overtaken();
      return { user: signedIn, issued };
    },

    /** By an operator, not by a client: no session and no mail. */
    async create(registration: Registration & { verified: boolean }, by: By): Promise<UserRow> {
      const user = await prepare(registration, "password");
      const created = { ...user, emailVerifiedAt: registration.verified ? user.createdAt : null };
      const { applied } = await journal.commit(
        [users.insert(created)],
        [],
        [{ topic: "auth.registered", payload: { user_id: user.id, session_id: null }, by }],
      );
      if (!applied) throw (await conflict(user)) ?? overtaken();
      return created;
    },

    async find(userId: string): Promise<UserRow> {
      const user = await users.byId(userId);
      if (user === undefined) throw new AppError("unauthorized");
      return user;
    },

    /** A changed address is unverified, voids what was sent to the old one, and tells the old one. */
    async edit(session: SessionRow, edit: ProfileEdit, client: Client): Promise<UserRow> {
      const { userId } = session;
      // Tried anew when the user's own address, name or password was changed meanwhile.
      for (let tries = 0; tries < maxTries; tries += 1) {
        const user = await this.find(userId);
        const change = changesOf(user, edit);
        const movesEmail = moves(user, change.email);
        if (movesEmail) await reauthenticate(user, session, edit.currentPassword, client);
        const jobs: Job[] = movesEmail
          ? [noticeJob("email_changed", { to: mailAddress(user) }), emailVerificationJob(userId)]
          : [];
        const voided = movesEmail ? grants.voidOpen(userId, "password_reset", "email_verification") : [];
        const changed = users.changeProfile(userId, user, change, clock.now());
        const moved: Occurrence = {
          topic: "auth.email-changed",
          payload: { user_id: userId },
          by: byUser(client),
          sessionId: session.id,
        };
        const { applied } = await journal.commit([changed, ...voided], jobs, movesEmail ? [moved] : []);
        if (applied) return this.find(userId);
        const { emailKey: key = user.emailKey, usernameKey: nameKey = user.usernameKey } = change;
        const refusal = await conflict({ id: userId, emailKey: key, usernameKey: nameKey });
        if (refusal !== undefined) throw refusal;
      }
      throw overtaken();
    },
  };
}

export type AccountService = ReturnType<typeof createAccountService>;

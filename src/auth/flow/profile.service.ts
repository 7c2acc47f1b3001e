import type { Clock } from "../../core/clock.ts";
import { AppError, overtaken } from "../../core/errors.ts";
import type { Client } from "../client.ts";
import type { GrantService } from "../grant/grant.service.ts";
import { byUser, type Change, type Journal } from "../journal.ts";
import { emailVerificationJob, noticeJob } from "../mail/jobs.ts";
import type { SessionRow } from "../session/session.repository.ts";
import { findConflict } from "../user/find.ts";
import { mailAddress } from "../user/identifiers.ts";
import { addressKey, ownUsernameKey } from "../user/profile.fields.ts";
import type { ProfileChange, UserRepository, UserRow } from "../user/user.repository.ts";
import type { ReauthenticationService } from "./reauthentication.service.ts";

interface ProfileOptions {
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly grants: GrantService;
  readonly reauthentication: ReauthenticationService;
  readonly clock: Clock;
}

/** What is undefined stays as it is; null empties a field. */
export interface ProfileEdit {
  readonly displayName?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly avatarUrl?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly currentPassword?: string | undefined;
}

const maxTries = 3;
const nothingElse: Required<Change> = { statements: [], jobs: [], tell: [] };

/** Only case does not matter: what the key folds besides may be another mailbox to the server that gets the mail. */
const isOtherAddress = (user: UserRow, email: string | undefined): email is string =>
  email !== undefined && email.toLowerCase() !== user.email.toLowerCase();

function changesOf(user: UserRow, edit: ProfileEdit): ProfileChange {
  const { email, displayName, avatarUrl, timezone, locale } = edit;
  const key = email === undefined || email === user.email ? user.emailKey : addressKey(email);
  // Whoever is named by the address is renamed with it.
  const username = edit.username ?? (user.usernameKey === user.emailKey ? email : undefined);
  return {
    ...(username === undefined ? {} : { username, usernameKey: ownUsernameKey(username, key) }),
    ...(email === undefined ? {} : { email, emailKey: key }),
    ...(isOtherAddress(user, email) ? { emailVerifiedAt: null } : {}),
    displayName,
    avatarUrl,
    timezone,
    locale,
  };
}

export function createProfileService({ journal, users, grants, reauthentication, clock }: ProfileOptions) {
  async function find(userId: string): Promise<UserRow> {
    const user = await users.byId(userId);
    if (user === undefined) throw new AppError("unauthorized");
    return user;
  }

  /** The address is a credential, since it resets the password: changing it takes the password. */
  async function confirmUser(session: SessionRow, password: string | undefined, client: Client): Promise<void> {
    if (password === undefined) throw new AppError("reauthentication_required");
    await reauthentication.confirm(session, password, client, "reauthentication_required");
  }

  /** A changed address is unverified, voids what was sent to the old one, and tells the old one. */
  const addressChanged = (user: UserRow, session: SessionRow, client: Client): Required<Change> => ({
    statements: grants.voidOpen(user.id, "password_reset", "email_verification"),
    jobs: [noticeJob("email_changed", { to: mailAddress(user) }), emailVerificationJob(user.id)],
    tell: [
      {
        topic: "auth.email-changed",
        payload: { user_id: user.id },
        by: byUser(client),
        sessionId: session.id,
      },
    ],
  });

  return {
    /** Throws `unauthorized` when the user is gone. */
    find,

    /** Tried anew when the user's own address, name or password was changed meanwhile. */
    async edit(session: SessionRow, edit: ProfileEdit, client: Client): Promise<UserRow> {
      for (let tries = 0; tries < maxTries; tries += 1) {
        // Read before the password is confirmed: the guard of the change then also holds the hash that was confirmed.
        const user = await find(session.userId);
        const change = changesOf(user, edit);
        const movesAddress = isOtherAddress(user, edit.email);
        if (movesAddress) await confirmUser(session, edit.currentPassword, client);
        const { statements, jobs, tell } = movesAddress ? addressChanged(user, session, client) : nothingElse;
        const changed = users.changeProfile(user.id, user, change, clock.now());
        const { applied } = await journal.commit({ statements: [changed, ...statements], jobs, tell });
        if (applied) return find(user.id);
        const { emailKey = user.emailKey, usernameKey = user.usernameKey } = change;
        const conflict = await findConflict(users, { id: user.id, emailKey, usernameKey });
        if (conflict !== undefined) throw conflict;
      }
      throw overtaken();
    },
  };
}

export type ProfileService = ReturnType<typeof createProfileService>;

import type { Config } from "../../config/index.ts";
import type { Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Job } from "../../core/job.ts";
import { AppError, overtaken } from "../../core/errors.ts";
import type { Client } from "../client.ts";
import { byUser, type Journal } from "../journal.ts";
import { emailVerificationJob } from "../mail/jobs.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { SessionRow } from "../session/session.repository.ts";
import { findConflict } from "../user/find.ts";
import { addressKey, ownUsernameKey } from "../user/profile.fields.ts";
import type { ProfileChange, UserRepository, UserRow } from "../user/user.repository.ts";
import type { ReauthenticationService } from "./reauthentication.service.ts";

interface ProfileOptions {
  readonly config: Pick<Config["auth"], "registerRequiresEmailVerification">;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly pressure: Pressure;
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
/** Each may send a mail to an address that somebody typed. */
const addressChangesPerHour = 10;

/** Only case does not matter: what the key folds besides may be another mailbox to the server that gets the mail. */
const isOtherAddress = (user: UserRow, email: string | undefined): email is string =>
  email !== undefined && email.toLowerCase() !== user.email.toLowerCase();

/** The address that waits already goes on waiting. Another one only waits until its mailbox has confirmed it; the one that the account has already ends that wait. */
function addressChange(user: UserRow, email: string | undefined): ProfileChange {
  if (email === undefined || email === user.pendingEmail) return {};
  // Not judged anew: an account may have an address that no new one would get.
  if (email === user.email) return { pendingEmail: null, pendingEmailKey: null };
  const key = addressKey(email);
  if (isOtherAddress(user, email)) return { pendingEmail: email, pendingEmailKey: key };
  return { email, emailKey: key, pendingEmail: null, pendingEmailKey: null };
}

function changesOf(user: UserRow, edit: ProfileEdit): ProfileChange {
  const { displayName, avatarUrl, timezone, locale } = edit;
  const address = addressChange(user, edit.email);
  // Whoever is named by the address is named by its new spelling, too.
  const username = edit.username ?? (user.usernameKey === user.emailKey ? address.email : undefined);
  return {
    ...address,
    ...(username === undefined
      ? {}
      : { username, usernameKey: ownUsernameKey(username, address.emailKey ?? user.emailKey) }),
    displayName,
    avatarUrl,
    timezone,
    locale,
  };
}

export function createProfileService(options: ProfileOptions) {
  const { config, journal, users, pressure, reauthentication, clock } = options;

  async function find(userId: string): Promise<UserRow> {
    const user = await users.byId(userId);
    if (user === undefined) throw new AppError("unauthorized");
    return user;
  }

  /** The address is a credential, since it resets the password: changing it takes the password. */
  async function confirmUser(session: SessionRow, password: string | undefined, client: Client): Promise<void> {
    if (password === undefined) throw new AppError("reauthentication_required");
    await pressure.limitAddress("email-change", client.bucket);
    await pressure.limitHourly("email-change", session.userId, addressChangesPerHour);
    await reauthentication.confirm(session, password, client, "reauthentication_required");
  }

  /**
   * Where addresses must be verified, nobody learns here that an address is taken: it waits like a free one, and the mail that is
   * sent tells its owner.
   */
  async function refuseTaken(user: UserRow, pendingKey: string): Promise<void> {
    if (config.registerRequiresEmailVerification) return;
    const conflict = await findConflict(users, { id: user.id, emailKey: pendingKey, usernameKey: user.usernameKey });
    if (conflict !== undefined) throw conflict;
  }

  return {
    /** Throws `unauthorized` when the user is gone. */
    find,

    /** Tried anew when the user's own address, name or password was changed meanwhile. */
    async edit(session: SessionRow, edit: ProfileEdit, client: Client): Promise<UserRow> {
      for (let tries = 0; tries < maxTries; tries += 1) {
        // Read before the password is confirmed: the guard of the change then also holds the hash that was confirmed.
        const user = await find(session.userId);
        const change = changesOf(user, edit);
        const jobs: Job[] = [];
        const tell: Occurrence[] = [];
        if (typeof change.pendingEmailKey === "string") {
          await confirmUser(session, edit.currentPassword, client);
          await refuseTaken(user, change.pendingEmailKey);
          const [payload, by] = [{ user_id: user.id }, byUser(client)];
          tell.push({ topic: "auth.email-change-requested", payload, by, sessionId: session.id });
          jobs.push(emailVerificationJob(user.id, client, change.pendingEmailKey));
        }
        const changed = users.changeProfile(user.id, user, change, clock.now());
        const { applied } = await journal.commit({ statements: [changed], jobs, tell });
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

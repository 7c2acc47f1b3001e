import type { Config } from "../../../config/index.ts";
import type { Occurrence } from "../../../core/audit.ts";
import type { Job } from "../../../core/job.ts";
import { AppError, invalidFields } from "../../../core/errors.ts";
import { isFault, type FieldFault } from "../../../core/fields.ts";
import type { Statement } from "../../../drivers/database/index.ts";
import type { Client } from "../../client.ts";
import { byUser } from "../../journal.ts";
import { addressChangeAskedJob, cancelLink, emailVerificationJob, noticeJob } from "../../mail/jobs.ts";
import { patched, type MergePatch } from "../../metadata/merge.patch.ts";
import type { SessionRow } from "../../session/session.repository.ts";
import { findConflict } from "../../user/find.ts";
import { addressKey, ownUsernameKey } from "../../user/profile.fields.ts";
import type { FreeField } from "../../user/user.columns.ts";
import type { ProfileChange, UserRow } from "../../user/user.repository.ts";
import { mostTriesBesideOthers, tryAnew } from "../../../core/pace/anew.ts";
import type { Parts } from "../parts.ts";
import type { ProviderDemand } from "../organization/provider.demand.ts";
import { termsAccepted, type RegistrationRules } from "../registration.rules.ts";
import type { ReauthenticationService } from "./reauthentication.service.ts";

type ProfileOptions = Parts<"journal" | "users" | "metadata" | "grants" | "sessions" | "pressure" | "clock"> & {
  readonly reauthentication: ReauthenticationService;
  readonly demand?: ProviderDemand;
  readonly rules: RegistrationRules;
  readonly config: Pick<Config["auth"], "registerRequiresEmailVerification">;
};

/** An undefined field stays as it is; null empties it. No field may be left out, so that a new one is not forgotten on its way. */
export type ProfileEdit = { readonly [Field in FreeField | "username" | "email"]: UserRow[Field] | undefined } & {
  readonly userMetadata: MergePatch | undefined;
  /** The version of the terms that the person accepts. */
  readonly acceptedTerms: string | undefined;
  readonly currentPassword: string | undefined;
};

/** The most changes of address in an hour: each may send a mail to an address that somebody typed. */
const addressChangesPerHour = 10;

/** The most new user names in an hour: each keeps a name from others for some weeks. */
const renamesPerHour = 10;

/** Whether the user name is another one. A new spelling of the old name is not: both sign in. */
const isRenamed = (user: UserRow, change: ProfileChange): change is ProfileChange & { readonly usernameKey: string } =>
  change.usernameKey !== undefined && change.usernameKey !== user.usernameKey;

/**
 * Whether the address is another one. Only case does not matter: what the key folds besides may be another mailbox to the server that gets
 * the mail.
 */
const isOtherAddress = (user: UserRow, email: string | undefined): email is string =>
  email !== undefined && email.toLowerCase() !== user.email.toLowerCase();

/**
 * Returns the key of an address that the account does not have yet. The account's own address is not judged anew: today's rules might
 * refuse it to a new account.
 */
const keyOfNew = (user: UserRow, email: string | undefined): string | FieldFault | undefined =>
  email === undefined || email === user.email || email === user.pendingEmail ? undefined : addressKey(email);

/**
 * Returns the change of the address. An address that waits already goes on waiting. Another one only waits until its mailbox has confirmed
 * it; the account's own address ends the wait.
 */
function addressChange(user: UserRow, email: string | undefined, newKey: string | undefined): ProfileChange {
  if (email === undefined || email === user.pendingEmail) return {};
  if (newKey === undefined) return { pendingEmail: null, pendingEmailKey: null };
  if (isOtherAddress(user, email)) return { pendingEmail: email, pendingEmailKey: newKey };
  return { email, emailKey: newKey, pendingEmail: null, pendingEmailKey: null };
}

function changesOf(user: UserRow, edit: Partial<ProfileEdit>): ProfileChange {
  const { username: wanted, email, userMetadata: _userMetadata, ...others } = edit;
  const { currentPassword: _currentPassword, acceptedTerms: _acceptedTerms, ...free } = others;
  const newKey = keyOfNew(user, email);
  const address = isFault(newKey) ? {} : addressChange(user, email, newKey);
  // A user name that is the address takes the address's new spelling, too.
  const username = wanted ?? (user.usernameKey === user.emailKey ? address.email : undefined);
  const ownKey = isFault(newKey) ? newKey : (address.emailKey ?? user.emailKey);
  const usernameKey = username === undefined ? undefined : ownUsernameKey(username, ownKey);
  if (isFault(newKey) || isFault(usernameKey)) throw invalidFields({ email: newKey, username: usernameKey });
  return {
    ...address,
    ...(usernameKey === undefined ? {} : { username, usernameKey }),
    ...free,
  };
}

export function createProfileService(options: ProfileOptions) {
  const { config, rules, journal, users, metadata, grants, sessions, pressure, reauthentication, demand, clock } =
    options;

  async function find(userId: string): Promise<UserRow> {
    const user = await users.byId(userId);
    if (user === undefined) throw new AppError("unauthorized");
    return user;
  }

  /** A change of the address takes the password: the address is a credential, since it resets the password. */
  async function confirmUser(session: SessionRow, password: string | undefined, client: Client): Promise<void> {
    if (password === undefined) throw new AppError("reauthentication_required");
    await pressure.limitAddress("email-change", client, { isProven: true });
    await pressure.limitHourly("email-change", session.userId, addressChangesPerHour);
    await reauthentication.confirm(session, password, client, "reauthentication_required");
  }

  /** A new user name takes the password or a proof that is minutes old, since the name signs in. */
  async function confirmRename(session: SessionRow, password: string | undefined, client: Client): Promise<void> {
    await pressure.limitHourly("username-change", session.userId, renamesPerHour);
    if (password === undefined) await sessions.requireFreshProof(session);
    else await reauthentication.confirm(session, password, client, "reauthentication_required");
  }

  /** Keeps the old name from others, and gives back a name that was kept for this account. */
  const renamed = (user: UserRow, to: string): readonly Statement[] => [
    // Nobody else can have a name that is the account's address without having that address.
    ...(user.usernameKey === user.emailKey ? [] : [users.keepUsername(user.usernameKey, user.id, clock.now())]),
    users.release(user.id, { email: "", username: to }),
  ];

  /**
   * Refuses a taken address. Where addresses must be verified, nobody learns here that one is taken: it waits like a free one, and the mail
   * that is sent tells its owner.
   */
  async function refuseTaken(user: UserRow, pendingKey: string): Promise<void> {
    if (config.registerRequiresEmailVerification) return;
    const conflict = await findConflict(
      users,
      { id: user.id, emailKey: pendingKey, usernameKey: user.usernameKey },
      clock.now(),
    );
    if (conflict !== undefined) throw conflict;
  }

  /** Returns what changes by accepting terms. Those that were accepted before keep their time. Throws `terms_required` for other terms. */
  function accepting(user: UserRow, version: string | undefined): ProfileChange {
    if (version === undefined) return {};
    rules.requireTerms(version);
    return (version === user.termsVersion ? undefined : rules.accepted(version)) ?? {};
  }

  /** Writes what the person keeps for the app. Holds only while that is what it was read as. */
  async function keeping(userId: string, patch: MergePatch | undefined): Promise<readonly Statement[]> {
    if (patch === undefined) return [];
    const { user: from } = await metadata.openOf(userId);
    const to = patched(from, patch);
    if (isFault(to)) throw invalidFields({ user_metadata: to });
    return to === from ? [] : [metadata.change(userId, { user: { from, to } })];
  }

  /** An address that an organization looks after stays: with another one its person would sign in past the organization's provider. */
  async function requireOwnAddress(user: UserRow): Promise<void> {
    if ((await demand?.concerns(user)) === true)
      throw new AppError("forbidden", { detail: "An organization signs this address in by its own provider." });
  }

  /** Changes the profile as it is now. Undefined where another request has changed the account meanwhile. */
  async function attempt(
    session: SessionRow,
    edit: Partial<ProfileEdit>,
    client: Client,
  ): Promise<UserRow | undefined> {
    // The user is read before the password is confirmed: the guard of the change then also holds the hash that was confirmed.
    const user = await find(session.userId);
    const change = { ...changesOf(user, edit), ...accepting(user, edit.acceptedTerms) };
    const jobs: Job[] = [];
    const tell: Occurrence[] = [];
    const about = { payload: { user_id: user.id }, by: byUser(client), sessionId: session.id };
    const kept = await keeping(user.id, edit.userMetadata);
    if (typeof change.termsVersion === "string")
      tell.push({ ...termsAccepted(user.id, change.termsVersion, client), sessionId: session.id });
    // Whatever ends the session meanwhile ends what is asked for within it.
    const held = 1 + kept.length;
    const statements = [users.changeProfile(user.id, user, change, clock.now()), ...kept, sessions.hold(session)];
    const links: Statement[] = [];
    if (typeof change.pendingEmailKey === "string") {
      rules.requireDomain(change.pendingEmailKey);
      await requireOwnAddress(user);
      await confirmUser(session, edit.currentPassword, client);
      await refuseTaken(user, change.pendingEmailKey);
      tell.push({ ...about, topic: "auth.email-change-requested" });
      jobs.push(emailVerificationJob(user.id, client, change.pendingEmailKey));
      if (user.emailVerifiedAt !== null) {
        const link = cancelLink();
        links.push(grants.issue(user, link.purpose, link.request));
        jobs.push(addressChangeAskedJob(user, link, client));
      }
    }
    if (isRenamed(user, change)) {
      // The password that came with a new address is proof enough of a new name.
      if (typeof change.pendingEmailKey !== "string") await confirmRename(session, edit.currentPassword, client);
      statements.push(...renamed(user, change.usernameKey));
      tell.push({ ...about, topic: "auth.username-changed" });
      jobs.push(noticeJob("username_changed", { userId: user.id }, { client }));
    }
    const committed = await journal.commit({ statements: [...statements, ...links], jobs, tell });
    if (committed.applied) return find(user.id);
    if (committed.failedGuard === held) throw new AppError("unauthorized");
    const { emailKey = user.emailKey, usernameKey = user.usernameKey } = change;
    const conflict = await findConflict(users, { id: user.id, emailKey, usernameKey }, clock.now());
    if (conflict !== undefined) throw conflict;
    return undefined;
  }

  return {
    /** Returns the user. Throws `unauthorized` when the user is gone. */
    find,

    metadataOf: metadata.openOf,

    /** Returns the version of the terms that the person has yet to accept; null where there is none. Nothing is refused meanwhile. */
    termsDue: ({ termsVersion }: Pick<UserRow, "termsVersion">): string | null => rules.termsDue(termsVersion),

    /** Changes the profile. Tries again when another request changed the user's address, name, password or metadata meanwhile. */
    edit(session: SessionRow, edit: Partial<ProfileEdit>, client: Client): Promise<UserRow> {
      // A change of the address or the name is counted and may look at a password: it is not repeated as often.
      const isProven = edit.email !== undefined || edit.username !== undefined;
      return tryAnew(() => attempt(session, edit, client), isProven ? undefined : mostTriesBesideOthers);
    },
  };
}

export type ProfileService = ReturnType<typeof createProfileService>;

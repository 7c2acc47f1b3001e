import type { By, Occurrence } from "../../core/audit.ts";
import { randomToken } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import type { Place } from "../../core/pace/fair.turns.ts";
import { placeOf, placeOfActor, type Client } from "../client.ts";
import type { GrantPurpose } from "../grant/grant.columns.ts";
import { byUser } from "../journal.ts";
import { noticeJob, passwordResetJob } from "../mail/jobs.ts";
import type { Notice } from "../mail/notices.ts";
import type { SessionRow } from "../session/session.repository.ts";
import { loginKey } from "../user/identifiers.ts";
import type { StoredPassword } from "../user/user.password.repository.ts";
import type { UserRow } from "../user/user.repository.ts";
import type { SignedIn } from "./admission.ts";
import type { Added } from "./eviction/added.ts";
import { evictions as rules, type Eviction } from "./eviction/eviction.rules.ts";
import { recordEvicted, type Evictions } from "./eviction/eviction.ts";
import type { Parts } from "./parts.ts";
import type { ProviderDemand } from "./organization/provider.demand.ts";
import type { ReauthenticationService } from "./account/reauthentication.service.ts";

type PasswordOptions = Parts<
  "journal" | "users" | "sessions" | "grants" | "hasher" | "policy" | "pressure" | "locks" | "clock" | "log"
> & {
  readonly reauthentication: ReauthenticationService;
  readonly evictions: Evictions;
  readonly demand?: ProviderDemand;
  /** Local and testing only: answers the token instead of mailing it. */
  readonly returnToken: boolean;
  /** Local only: mails the token as well, since the mail can be opened there. */
  readonly mailToo: boolean;
  readonly added: (userId: string) => Promise<readonly Added[]>;
};

/** What the holder of a link for a password may know of the account. */
export interface InspectedReset {
  /** What the reset removes unless it is named as kept. */
  readonly added: readonly Added[];
  /** False where the link chooses the account's first password. */
  readonly hasPassword: boolean;
  /** Whether the link came with the mail about a sign-in, and ends the session. */
  readonly isOfSignIn: boolean;
}

/** The mailed links that set a new password, each with its eviction. */
const resets = [
  ["password_reset", "password_reset"],
  ["first_password", "password_reset"],
  ["factor_undo", "factors_taken_back"],
  ["identity_undo", "identity_taken_back"],
  ["session_undo", "sign_in_rejected"],
] as const satisfies readonly (readonly [GrantPurpose, Eviction])[];

export function createPasswordService(options: PasswordOptions) {
  const { returnToken, mailToo, journal, users, sessions, grants, hasher, policy, pressure, clock, log } = options;
  const { reauthentication, evictions, added, locks, demand } = options;

  /** Throws `provider_required`. What takes an addition back works all the same: it is the owner's word against the provider's. */
  async function demandProvider(user: UserRow, purpose: GrantPurpose, client: Client): Promise<void> {
    if (purpose === "password_reset" || purpose === "first_password") await demand?.require(user, client);
  }

  /** Tells of the lock that a new password lifts, where there is one. */
  async function unlocked(
    user: UserRow,
    by: By,
    reason: "password_changed" | "password_reset",
  ): Promise<readonly Occurrence[]> {
    const lifted = (await locks.ofAll([user])).get(user.id) ?? [];
    return lifted.length === 0 ? [] : [{ topic: "auth.user-unlocked", payload: { user_id: user.id }, by, reason }];
  }

  /** Returns the account whose password this mailed token sets anew, with the grant and its eviction. */
  async function resettable(token: string) {
    for (const [purpose, eviction] of resets) {
      const grant = await grants.find(token, purpose);
      const user = grant === undefined ? undefined : await users.byId(grant.userId);
      // A link that went to an address which the account has left proves nothing any more.
      if (grant === undefined || user?.emailKey !== grant.emailKey) continue;
      // A link that is good for days is good for nothing once there is a password.
      if (purpose === "first_password" && user.passwordHash !== null) continue;
      return { grant, user, purpose, eviction };
    }
    throw new AppError("invalid_reset_token");
  }

  /** Whether a reset takes second factors of the last days: then the password may stand alone. */
  const losesFactors = async ({ id, factors }: UserRow, keep: readonly string[]): Promise<boolean> =>
    factors !== 0 && (await added(id)).some((each) => each.kind !== "identity" && !keep.includes(each.id));

  const storedOf = async (password: string, place: Place): Promise<StoredPassword> => ({
    hash: await hasher.hash(password, place),
    atLeast: policy.knownLength(password),
  });

  const noticeOf = ({ passwordHash }: UserRow, isUndo: boolean): Notice =>
    isUndo ? "factors_taken_back" : passwordHash === null ? "first_password_chosen" : "password_reset";

  const takenBack = ({ id }: UserRow, client: Client): Occurrence => ({
    topic: "auth.factors-reset",
    payload: { user_id: id },
    by: byUser(client),
    reason: "taken_back",
  });

  return {
    /** Ends the other sessions; the current one goes on under a new refresh secret. */
    async change(session: SessionRow, current: string, next: string, client: Client): Promise<SignedIn> {
      const user = await reauthentication.confirm(session, current, client, "invalid_credentials");
      await policy.enforce(next, user, "new_password");
      const now = clock.now();
      const stored = await storedOf(next, placeOf(client, user.id));
      const rekeyed = await sessions.rekey(session, user);
      const changed = await journal.commit({
        statements: [
          users.changePassword(user.id, user.passwordHash, stored, now),
          rekeyed.statement,
          ...evictions.evict(user.id, "password_changed", { exceptSession: session.id }).statements,
          ...pressure.forgive(user),
        ],
        jobs: [noticeJob("password_changed", { userId: user.id }, { client })],
        tell: [
          {
            topic: "auth.password-changed",
            payload: { user_id: user.id },
            by: byUser(client),
            sessionId: session.id,
          },
          ...(await unlocked(user, byUser(client), "password_changed")),
        ],
      });
      if (!changed.applied) throw new AppError(changed.failedGuard === 0 ? "invalid_credentials" : "unauthorized");
      const changedUser = { ...user, passwordHash: stored.hash, deviceEpoch: user.deviceEpoch + 1 };
      return { user: changedUser, issued: await rekeyed.issued(changed.results[1]?.rows ?? []) };
    },

    /**
     * Asks for a reset. Looks nobody up, so that neither answer nor time tells whether the account exists. Returns the token only where
     * return is on.
     */
    async requestReset(login: string, client: Client): Promise<string | undefined> {
      if (!returnToken || mailToo) await journal.commit({ jobs: [passwordResetJob(login, client)] });
      if (!returnToken) return undefined;
      const user = await users.byLogin(loginKey(login));
      return user?.active === 1
        ? grants.forAnswer({ id: user.id, emailKey: user.emailKey }, "password_reset")
        : randomToken();
    },

    /** Redeems nothing. Throws `invalid_reset_token`, and told of the client also `provider_required`, so that nobody types in vain. */
    async inspectReset(token: string, client?: Client): Promise<InspectedReset> {
      const { grant, user, purpose, eviction } = await resettable(token);
      if (client !== undefined) await demandProvider(user, purpose, client);
      const found = { hasPassword: user.passwordHash !== null, isOfSignIn: purpose === "session_undo" };
      if (grant.mailed === 0) return { added: [], ...found };
      const all = await added(user.id);
      const removed = all.filter(({ kind }) => kind === "identity" || rules[eviction].factors !== "all");
      return { added: removed, ...found };
    },

    /**
     * Ends the session that the mailed link tells of, at once. The link stays good for a new password. Does nothing where the session has
     * ended. Throws `invalid_reset_token`, for the links of other mails too.
     */
    async rejectSignIn(token: string, client: Client): Promise<void> {
      const { grant, user, purpose } = await resettable(token);
      const { requestId: sessionId } = grant;
      if (purpose !== "session_undo" || sessionId === null) throw new AppError("invalid_reset_token");
      await sessions.reject(sessionId, user.id, client);
    },

    /**
     * Sets the new password, ends all sessions and lifts the lockout; signs nobody in. A refused new password leaves the grant usable.
     * Additions that somebody else may have made to the account are removed, except those in `keep`: see `evictions`. A token that was
     * answered instead of mailed proves no mailbox, and removes no additions.
     */
    async confirmReset(token: string, next: string, client: Client, keep: readonly string[] = []): Promise<void> {
      const { grant, user, purpose, eviction } = await resettable(token);
      await demandProvider(user, purpose, client);
      const isUndo = purpose === "factor_undo";
      const isAlone = isUndo || (grant.mailed === 1 && (await losesFactors(user, keep)));
      await policy.enforce(next, isAlone ? { ...user, factors: 0 } : user, "new_password");
      const now = clock.now();
      const stored = await storedOf(next, placeOf(client, user.id));
      const evicted = evictions.evict(user.id, eviction, {
        exceptGrant: grant.id,
        keep: grant.mailed === 1 ? keep : "all",
      });
      const reset = await journal.commit({
        statements: [
          // The user's row is locked before its dependent rows, and written after them: what is unlinked depends on the address being
          // unproven.
          users.hold(user.id, now),
          ...evicted.statements,
          ...grants.redeem(grant, purpose),
          users.resetPassword(user.id, stored, grant.mailed === 1 ? now : null, now),
          ...(isUndo ? pressure.forgiveWithCodes(user) : pressure.forgive(user)),
        ],
        jobs: [noticeJob(noticeOf(user, isUndo), { userId: user.id }, { client })],
        tell: [
          { topic: "auth.password-reset", payload: { user_id: user.id }, by: byUser(client) },
          ...(isUndo && user.factors !== 0 ? [takenBack(user, client)] : []),
          ...(await unlocked(user, byUser(client), "password_reset")),
        ],
      });
      if (!reset.applied) throw new AppError("invalid_reset_token");
      await recordEvicted(journal, log, evicted.tell(reset.results.slice(1), client));
    },

    /** Sets the password on behalf of an operator. Ends all sessions, as a reset does. */
    async set(user: UserRow, next: string, by: By): Promise<void> {
      await policy.enforce(next, user, "password");
      const now = clock.now();
      const stored = await storedOf(next, placeOfActor(by));
      const { applied } = await journal.commit({
        statements: [
          users.setPassword(user.id, stored, now),
          ...evictions.evict(user.id, "password_set").statements,
          ...pressure.forgive(user),
        ],
        jobs: [noticeJob("password_changed", { userId: user.id })],
        tell: [
          { topic: "auth.password-changed", payload: { user_id: user.id }, by },
          ...(await unlocked(user, by, "password_changed")),
        ],
      });
      if (!applied) throw new AppError("not_found");
    },
  };
}

export type PasswordService = ReturnType<typeof createPasswordService>;

import { minute } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import type { Client } from "../../client.ts";
import { factorBits } from "../../factor/method.ts";
import { replaceRecoveryCodes } from "../../factor/recovery/recovery.code.ts";
import { qrSvg } from "../../factor/totp/totp.qr.ts";
import { isTotpSecret, newTotpSecret, otpauthUri, stepOf } from "../../factor/totp/totp.ts";
import { byUser } from "../../journal.ts";
import { factorAddedJob, noticeJob } from "../../mail/jobs.ts";
import type { SessionRow } from "../../session/session.repository.ts";
import { userFactors } from "../../user/user.factors.repository.ts";
import type { UserRow } from "../../user/user.repository.ts";
import { tryAnew } from "../../../core/pace/anew.ts";
import type { Parts } from "../parts.ts";
import type { Evictions } from "../eviction/eviction.ts";

type FactorOptions = Parts<
  "journal" | "users" | "sessions" | "totp" | "recovery" | "storedFactors" | "grants" | "pressure" | "clock"
> & {
  readonly evictions: Evictions;
  /** The name that authenticator apps show above the code. */
  readonly product: string;
};

/** A set-up lives as long as a fresh proof, so that the proof that began it also finishes it. */
const setupTtlMs = 10 * minute;

/** Changes that a user may try in an hour: set-ups, confirming codes and passkeys, removals and new recovery codes together. */
const changesPerHour = 60;

/** Lets a session change the second factors of its account. Throws `reauthentication_required`, or `rate_limited` after too many tries. */
export async function permitFactorChange(
  session: SessionRow,
  { sessions, pressure }: Parts<"sessions" | "pressure">,
): Promise<void> {
  await sessions.requireFreshProof(session);
  await pressure.limitHourly("factor-change", session.userId, changesPerHour);
}

/** Changes by people to the second factors of their own account. Every change takes a fresh proof, and is told by mail. */
export function createFactorService(options: FactorOptions) {
  const { product, journal, users, sessions, totp, recovery, storedFactors, evictions, grants, pressure, clock } =
    options;

  const requireProof = (session: SessionRow): Promise<void> => permitFactorChange(session, { sessions, pressure });

  async function ownerOf(session: SessionRow): Promise<UserRow> {
    const user = await users.byId(session.userId);
    if (user?.active !== 1) throw new AppError("unauthorized");
    return user;
  }

  /** Runs a change, and tries again while other requests change the account's factors. `change` resolves to undefined when they did. */
  const changing = <T>(session: SessionRow, change: (user: UserRow) => Promise<T | undefined>): Promise<T> =>
    tryAnew(async () => change(await ownerOf(session)));

  /** Returns the secret for an authenticator app. Shown once: no later answer has it. */
  async function setupOf({ email }: UserRow, secret: string) {
    const uri = await otpauthUri(product, email, secret);
    return { secret, otpauthUri: uri, qrSvg: await qrSvg(uri) };
  }

  /** Returns the secret of the set-up that waits for this code, and the code's time step. */
  async function awaited(userId: string, code: string): Promise<{ secret: string; step: number }> {
    const row = await totp.find(userId);
    const now = clock.now();
    if (row !== undefined && row.confirmedAt !== null) throw new AppError("factor_exists");
    // A set-up dated in the future was begun while the clock was wrong.
    if (row === undefined || Math.abs(now - row.createdAt) >= setupTtlMs) throw new AppError("factor_not_found");
    const step = await stepOf(code, row.secret, now);
    if (step === undefined) throw new AppError("invalid_code", { flaw: "wrong_code", userId });
    return { secret: row.secret, step };
  }

  const change = (userId: string, { id: sessionId }: SessionRow, client: Client) => ({
    payload: { user_id: userId },
    by: byUser(client),
    sessionId,
  });

  return {
    async overview({ userId }: SessionRow) {
      const [factors, recoveryCodesLeft] = await Promise.all([
        storedFactors.list(userId),
        storedFactors.recoveryCodesLeft(userId),
      ]);
      return { factors, recoveryCodesLeft };
    },

    /** Begins the set-up of an authenticator app, in place of an unconfirmed one. The app is no factor until it is confirmed. */
    async beginTotp(session: SessionRow) {
      await requireProof(session);
      const user = await ownerOf(session);
      const secret = newTotpSecret();
      const begun = await journal.commit({
        statements: [users.lock(user.id), sessions.hold(session), totp.begin(user.id, secret, clock.now())],
      });
      if (!begun.applied) throw new AppError(begun.failedGuard < 2 ? "unauthorized" : "factor_exists");
      return setupOf(user, secret);
    },

    /** Returns the set-up again for a page that has kept its secret: no answer has the stored one. Undefined for a text that is no secret. */
    async shownTotp(session: SessionRow, secret: string) {
      return isTotpSecret(secret) ? setupOf(await ownerOf(session), secret) : undefined;
    },

    /**
     * Confirms the app by a first code, which shows that it has the secret and counts as used. The app is asked for from now on. Resolves
     * to new recovery codes, which replace any older ones. No other session ends.
     */
    async confirmTotp(session: SessionRow, code: string, client: Client): Promise<readonly string[]> {
      await requireProof(session);
      return changing(session, async (user) => {
        const { secret, step } = await awaited(user.id, code);
        const now = clock.now();
        const { codes, statements } = replaceRecoveryCodes(recovery, user.id);
        const about = change(user.id, session, client);
        const confirmed = await journal.commit({
          statements: [
            userFactors.change(user, user.factors | factorBits.totp, now),
            sessions.hold(session),
            totp.confirm(user.id, secret, step, now),
            sessions.prove(session, "totp"),
            ...statements,
            ...evictions.ofFactors(user, user.factors | factorBits.totp),
          ],
          jobs: [factorAddedJob("totp_added", user, { client })],
          tell: [
            { ...about, topic: "auth.factor-added", payload: { ...about.payload, factor: "totp" } },
            { ...about, topic: "auth.recovery-codes-made" },
          ],
        });
        if (confirmed.applied) return codes;
        if (confirmed.failedGuard === 1) throw new AppError("unauthorized");
        return undefined;
      });
    },

    /** Removes the app. The removal of the last factor removes the recovery codes, too. */
    async removeTotp(session: SessionRow, client: Client): Promise<void> {
      await requireProof(session);
      await changing(session, async (user) => {
        if ((user.factors & factorBits.totp) === 0) throw new AppError("factor_not_found");
        const about = change(user.id, session, client);
        const left = storedFactors.without(user, factorBits.totp);
        const removed = await journal.commit({
          statements: [
            userFactors.change(user, left, clock.now()),
            sessions.hold(session),
            ...storedFactors.removeUnset(user.id),
            ...evictions.ofFactors(user, left),
          ],
          jobs: [noticeJob("totp_removed", session, { client })],
          tell: [{ ...about, topic: "auth.factor-removed", payload: { ...about.payload, factor: "totp" } }],
        });
        if (removed.applied) return true;
        if (removed.failedGuard === 1) throw new AppError("unauthorized");
        return undefined;
      });
    },

    /**
     * Ends the mailed links that take the account's first second factor back, for an owner who set it up and wants no such link to lie
     * about. A reset by mail still shows and removes what was set up in the last days: otherwise a thief could keep the owner out for good.
     */
    async endTakeBack(session: SessionRow, client: Client): Promise<void> {
      await requireProof(session);
      const user = await ownerOf(session);
      if (user.factors === 0) throw new AppError("factor_not_found");
      const ended = await journal.commit({
        statements: [
          users.lock(user.id),
          sessions.hold(session),
          { ...grants.voidOpen(user.id, ["factor_undo"]), guard: true },
        ],
        jobs: [noticeJob("take_back_ended", session, { client })],
        tell: [{ ...change(user.id, session, client), topic: "auth.take-back-ended" }],
      });
      if (!ended.applied && ended.failedGuard < 2) throw new AppError("unauthorized");
    },

    /** Makes new recovery codes; older ones are void. */
    async remakeCodes(session: SessionRow, client: Client): Promise<readonly string[]> {
      await requireProof(session);
      return changing(session, async (user) => {
        if (user.factors === 0) throw new AppError("factor_not_found");
        const { codes, statements } = replaceRecoveryCodes(recovery, user.id);
        const made = await journal.commit({
          statements: [userFactors.change(user, user.factors, clock.now()), sessions.hold(session), ...statements],
          jobs: [noticeJob("recovery_codes_made", session, { client })],
          tell: [{ ...change(user.id, session, client), topic: "auth.recovery-codes-made" }],
        });
        if (made.applied) return codes;
        if (made.failedGuard === 1) throw new AppError("unauthorized");
        return undefined;
      });
    },
  };
}

export type FactorService = ReturnType<typeof createFactorService>;
export type FactorOverview = Awaited<ReturnType<FactorService["overview"]>>;

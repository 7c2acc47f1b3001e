import type { Clock, Millis } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { FactorFlaw, LoginFlaw } from "../../core/flaws.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import { byNobody, byUser } from "../journal.ts";
import { noticeJob } from "../mail/jobs.ts";
import type { UserRow } from "../user/user.repository.ts";
import type { Check } from "./counters.ts";
import type { Limits } from "./limits.ts";
import type { Refusals } from "./refusals.ts";

export interface Failure {
  /** Undefined when the login is no account. */
  readonly user: UserRow | undefined;
  /** The reason of the failure. The client is never told. */
  readonly why: LoginFlaw | FactorFlaw;
  /** The owner's name for the passkey that failed, where it is told to them. */
  readonly passkey?: string | undefined;
  /** Statements that note what staff learn of the failure. They touch nothing that comes after counters in the order of locks. */
  readonly notes?: readonly Statement[] | undefined;
  /** The session that asked, where a signed-in user was asked for the password again. */
  readonly sessionId?: string;
}

interface FailureOptions {
  readonly mailShare: Limits["mailShare"];
  readonly refusals: Refusals;
  readonly clock: Clock;
}

/** Writes down failed password checks, and tells the owner of the account. */
export function createFailures({ mailShare, refusals, clock }: FailureOptions) {
  /** Records a failure, the lock that it causes and the end of strangers' tries: the owner is told of each once. */
  function record(
    { user, why, passkey, sessionId }: Failure,
    client: Client,
    { lockedUntil, blocks }: { readonly lockedUntil: Millis | undefined; readonly blocks: boolean },
  ): void {
    const circumstances = {
      by: sessionId === undefined ? byNobody(client) : byUser(client),
      outcome: "failure",
      sessionId,
      at: clock.now(),
    } as const;
    const subject = { user_id: user?.id ?? null, count: 1 };
    const isTold = user?.active === 1;
    const isCopied = isTold && why === "counter_fell_back";
    refusals.add(
      { ...circumstances, topic: "auth.login-failed", payload: { ...subject, reason: why } },
      client.bucket,
      isCopied
        ? {
            guards: [mailShare(user.id)],
            job: noticeJob("passkey_copied", { userId: user.id }, { about: passkey, client }),
          }
        : undefined,
    );
    if (lockedUntil !== undefined) {
      const notice = isTold
        ? { guards: [mailShare(user.id)], job: noticeJob("account_locked", { userId: user.id }, { client }) }
        : undefined;
      const locked = { ...circumstances, topic: "auth.locked", payload: subject, endsAt: lockedUntil } as const;
      refusals.add(locked, client.bucket, notice);
    }
    if (blocks) {
      const notice = isTold
        ? { guards: [], job: noticeJob("logins_blocked", { userId: user.id }, { client }) }
        : undefined;
      refusals.add({ ...circumstances, topic: "auth.logins-blocked", payload: subject }, client.bucket, notice);
    }
  }

  /** Records an attempt that was refused because there were too many before it: no password was looked at. */
  function refused(check: Check, client: Client, error: unknown): void {
    if (!(error instanceof AppError) || error.reason === "overloaded") return;
    const sessionId = check.by === "session" || check.by === "factor" ? check.sessionId : undefined;
    const bySession = sessionId !== undefined;
    refusals.add(
      {
        topic: "auth.attempt-refused",
        payload: { user_id: check.userId ?? null, count: 1 },
        by: bySession ? byUser(client) : byNobody(client),
        outcome: "failure",
        reason: error.flaw ?? error.reason,
        sessionId,
        at: clock.now(),
      },
      client.bucket,
    );
  }

  return { record, refused };
}

import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Config } from "../../config/index.ts";
import { hour, second, type Clock, type Millis } from "../../core/clock.ts";
import { tokenHash } from "../../core/crypto.ts";
import { AppError, type ErrorCode } from "../../core/errors.ts";
import type { LoginFlaw } from "../../core/flaws.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { AttemptRepository } from "./attempt.repository.ts";
import type { Client } from "../client.ts";
import { noticeJob } from "../mail/jobs.ts";
import { byNobody, byUser } from "../journal.ts";
import type { Refusals } from "./refusals.ts";
import type { UserRow } from "../user/user.repository.ts";

interface PressureOptions {
  readonly config: Pick<Config["auth"], "lockout" | "loginRateLimit" | "ipRateLimit">;
  readonly attempts: AttemptRepository;
  readonly database: Database;
  readonly refusals: Refusals;
  readonly clock: Clock;
}

export type LimitedRequest =
  | "register"
  | "password-reset"
  | "password-reset-confirm"
  | "email-verification"
  | "email-verification-confirm"
  | "email-change"
  | "oauth-start";

export interface Failure {
  /** Undefined when the login is no account. */
  readonly user: UserRow | undefined;
  /** Why it failed. The client is never told. */
  readonly why: LoginFlaw;
  /** The session that asked, where somebody signed in was asked for the password again. */
  readonly sessionId?: string;
}

/** A password check that has been charged for. Exactly one of its three ends is used. */
export interface Attempt {
  /** Statements for the batch that the success commits: they forget the failures. */
  readonly succeeded: readonly Statement[];
  /** Statements that take the charge back, where no password was looked at. */
  readonly untried: readonly Statement[];
  /** The refusal for a wrong password: 423 when this failure filled the counter, else `reason`. */
  failed(reason: ErrorCode, failure: Failure): Promise<AppError>;
}

const FailedRow = Type.Object({ failures: Type.Number(), expiresAt: Type.Number() });
/** Mails that strangers can cause for one user: as many as resets. */
const strangersMailsPerHour = 10;
const maxWaitingPerSubject = 64;
const checksAtOnce = 2;
/** A check that has neither succeeded nor failed by then was cut off with its process, and counts as failed. */
const longestCheckMs = 5 * second;
const askAgainMs = 25;
const mostAsks = longestCheckMs / askAgainMs;
/** A counter has to outlive the process, not a power cut: no login waits for the disk because of it. */
const countedOnly = { durable: false };

/**
 * Rate limit and lockout of password checks. An attempt is charged before the password is looked at, so that parallel
 * guesses can't outrun the counters; counters are rows, shared by all processes and kept across restarts.
 */
export function createPressure({ config, attempts, database, refusals, clock }: PressureOptions) {
  const turns = new Map<string, { running: number; waiting: (() => void)[] }>();

  const secondsUntil = (at: Millis): number => Math.max(1, Math.ceil((at - clock.now()) / 1000));

  async function refusal(reason: ErrorCode, key: string): Promise<AppError> {
    const row = await attempts.find(key);
    return new AppError(reason, { retryAfterSeconds: secondsUntil(row?.expiresAt ?? clock.now()) });
  }

  /** Few checks of one account at once, so that a burst of right passwords isn't taken for failures. */
  async function inTurn<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const turn = turns.get(subject) ?? { running: 0, waiting: [] };
    turns.set(subject, turn);
    if (turn.running >= checksAtOnce) {
      if (turn.waiting.length >= maxWaitingPerSubject) throw new AppError("overloaded", { retryAfterSeconds: 1 });
      await new Promise<void>((resolve) => turn.waiting.push(resolve));
    } else {
      turn.running += 1;
    }
    try {
      return await work();
    } finally {
      const next = turn.waiting.shift();
      if (next !== undefined) next();
      else if (turn.running > 1) turn.running -= 1;
      else turns.delete(subject);
    }
  }

  const hourlyShare = (subject: string, limit: number): Statement =>
    attempts.chargeWindow(tokenHash(subject), limit, hour, clock.now());
  const mailShare = (userId: string): Statement => hourlyShare(`mail|${userId}`, strangersMailsPerHour);

  /** Records a failure, and the lock that it brings about: the owner is told of each lock once. */
  function recordFailure({ user, why, sessionId }: Failure, client: Client, locks: boolean): void {
    const circumstances = {
      by: sessionId === undefined ? byNobody(client) : byUser(client),
      outcome: "failure",
      sessionId,
      at: clock.now(),
    } as const;
    const subject = { user_id: user?.id ?? null, count: 1 };
    refusals.add({ ...circumstances, topic: "auth.login-failed", payload: { ...subject, reason: why } }, client.bucket);
    if (!locks) return;
    const notice =
      user?.active === 1
        ? { guards: [mailShare(user.id)], job: noticeJob("account_locked", { userId: user.id }, { client }) }
        : undefined;
    refusals.add({ ...circumstances, topic: "auth.locked", payload: subject }, client.bucket, notice);
  }

  /**
   * A full counter locks once its failures are known. While other checks are under way, any of which may yet clear it, one
   * more waits for room: right passwords that reach several processes at once are no attack.
   */
  async function chargeOnceSettled(key: string): Promise<void> {
    const { attempts: limit, durationMs } = config.lockout;
    for (let asked = 0; ; asked += 1) {
      const now = clock.now();
      const row = await attempts.find(key);
      if (row !== undefined && row.expiresAt > now && row.attempts >= limit) {
        const chargedAt = row.expiresAt - durationMs;
        const isSettled = row.failures >= limit || chargedAt + longestCheckMs <= now || asked >= mostAsks;
        if (isSettled) throw new AppError("account_locked", { retryAfterSeconds: secondsUntil(row.expiresAt) });
      } else {
        const { sql, params } = attempts.chargeStreak(key, limit, durationMs, now);
        if ((await database.run(sql, params, countedOnly)).changes === 1) return;
      }
      await Bun.sleep(askAgainMs);
    }
  }

  async function charge(subject: string, client: Client): Promise<Attempt> {
    const now = clock.now();
    const { lockout, loginRateLimit } = config;
    const lockKey = tokenHash(`lockout|${subject}`);
    const rateKey = tokenHash(`login|${subject}|${client.bucket}`);
    const keys = [lockKey, rateKey].toSorted();
    const charged = await database.batch(
      keys.map((key) =>
        key === rateKey
          ? attempts.chargeWindow(key, loginRateLimit.attempts, loginRateLimit.durationMs, now)
          : attempts.chargeStreak(key, lockout.attempts, lockout.durationMs, now),
      ),
      countedOnly,
    );
    if (!charged.applied) throw await refusal("rate_limited", rateKey);
    if (charged.results[keys.indexOf(lockKey)]?.changes !== 1) await chargeOnceSettled(lockKey);
    return {
      succeeded: keys.map((key) => attempts.clear(key)),
      untried: keys.map((key) => attempts.refund(key)),
      async failed(reason, failure) {
        const { sql, params } = attempts.fail(lockKey);
        const [row] = (await database.run(sql, params, countedOnly)).rows;
        // There is no row where a success has cleared the counter meanwhile.
        const locked = Value.Check(FailedRow, row) && row.failures >= lockout.attempts ? row : undefined;
        recordFailure(failure, client, locked !== undefined);
        return locked === undefined
          ? new AppError(reason, { flaw: failure.why })
          : new AppError("account_locked", { retryAfterSeconds: secondsUntil(locked.expiresAt), flaw: failure.why });
      },
    };
  }

  async function run<T>(attempt: Attempt, check: (attempt: Attempt) => Promise<T>): Promise<T> {
    try {
      return await check(attempt);
    } catch (error) {
      // Lack of room is no failure of the account: a flood of other logins must not lock it.
      if (error instanceof AppError && error.reason === "overloaded")
        await database.batch(attempt.untried, countedOnly);
      throw error;
    }
  }

  return {
    /**
     * Charges one password check of `subject` (a user id, or the canonical form of an unknown login) and runs it.
     * Throws `rate_limited` or `account_locked` without running it.
     */
    attempt: <T>(subject: string, client: Client, check: (attempt: Attempt) => Promise<T>): Promise<T> =>
      inTurn(subject, async () => run(await charge(subject, client), check)),

    /** Statements that lift a lockout, for the batch of a password reset. */
    forgive: (subject: string): readonly Statement[] => [attempts.clear(tokenHash(`lockout|${subject}`))],

    /** The guard of a batch that mails a user on a stranger's word: holds it back once the hour's share is used up. */
    mailShare,

    /** A guard that holds `limit` times within an hour of the first, counted for that subject alone. */
    hourlyShare,

    /** Charges one of the `limit` times an hour that a user may do this. Throws `rate_limited`. */
    async limitHourly(kind: string, userId: string, limit: number): Promise<void> {
      const subject = `${kind}|${userId}`;
      const { sql, params } = hourlyShare(subject, limit);
      const { changes } = await database.run(sql, params, countedOnly);
      if (changes === 0) throw await refusal("rate_limited", tokenHash(subject));
    },

    /** Charges a request that anyone may send to its client address. Throws `rate_limited`. */
    async limitAddress(kind: LimitedRequest, address: string): Promise<void> {
      const key = tokenHash(`${kind}|${address}`);
      const { attempts: limit, durationMs } = config.ipRateLimit;
      const charge = attempts.chargeWindow(key, limit, durationMs, clock.now());
      const { changes } = await database.run(charge.sql, charge.params, countedOnly);
      if (changes === 0) throw await refusal("rate_limited", key);
    },
  };
}

export type Pressure = ReturnType<typeof createPressure>;

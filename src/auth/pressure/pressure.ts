import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Clock, Millis } from "../../core/clock.ts";
import { AppError, type ErrorCode } from "../../core/errors.ts";
import type { Place } from "../../core/pace/fair.turns.ts";
import { createTurnsByKey } from "../../core/pace/turns.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import { placeOf, type Client } from "../client.ts";
import { byKey, countedOnly, secondsBetween, type AttemptRepository, type Counter } from "./attempt.repository.ts";
import {
  codesKey,
  createCounters,
  failuresInARow,
  keptOutBy,
  nobody,
  provenFor,
  strangersKeys,
  type Check,
  type Counters,
  type Named,
  type PressureConfig,
} from "./counters.ts";
import { createFailures, type Failure } from "./failures.ts";
import { createLimits } from "./limits.ts";
import { createGate, longestCheckMs, overloaded } from "./gate.ts";
import type { Refusals } from "./refusals.ts";

interface PressureOptions {
  readonly config: PressureConfig;
  readonly attempts: AttemptRepository;
  readonly database: Database;
  readonly refusals: Refusals;
  /** Returns whether a password of that place would find room to be checked. */
  readonly hasRoom: (place: Place) => boolean;
  /** Returns whether the token of a mail can be redeemed now. */
  readonly isRedeemable: (token: string) => Promise<boolean>;
  readonly clock: Clock;
}

/** A password check that has been charged for. Exactly one of its three ends is used. */
export interface Attempt {
  /**
   * True once a run of wrong passwords is so long that even the right one is refused like a wrong one. The answer then tells nobody whether
   * the password was right, nor that the name is an account's.
   */
  readonly isBlocked: boolean;
  /** The place where the password is checked, by the proof for the account, unless that proof was used up. */
  readonly place: Place;
  /** Statements for the batch that the success commits: they clear the failures. */
  readonly succeeded: readonly Statement[];
  /** Statements that take the charge back, where no password was looked at. */
  readonly untried: readonly Statement[];
  /** Statements for a right password that a second factor has to follow: they take back the charges of a failure, and clear nothing yet. */
  readonly halfway: readonly Statement[];
  /** The keys of the counters to clear once the second factor is right, too. */
  readonly keys: readonly string[];
  /** Records the failure and returns its refusal: 423 when this failure filled the counter, otherwise `reason`. */
  failed(reason: ErrorCode, failure: Failure): Promise<AppError>;
}

/** Whom a charged check is for, and where its password is hashed. */
interface Charged {
  readonly check: Check;
  readonly client: Client;
  readonly place: Place;
}

const FailedRow = Type.Object({ failures: Type.Number(), expiresAt: Type.Number() });
const ChargedRow = Type.Object({ attempts: Type.Number() });
const turnsOfOneSubject = { running: 2, waiting: 64 };
const askAgainMs = 25;
const mostAsks = longestCheckMs / askAgainMs;

const allOf = ({ lock, rate, total, address }: Counters): readonly Counter[] => [
  lock,
  rate,
  total,
  ...(address === undefined ? [] : [address]),
];

/**
 * Rate limit and lockout of password checks. An attempt is charged before the password is looked at, so that parallel guesses can't outrun
 * the counters. Counters are rows, shared by all processes and kept across restarts. They are read first: a refused attempt leaves no row
 * behind, and costs no write.
 */
export function createPressure({
  config,
  attempts,
  database,
  refusals,
  hasRoom,
  isRedeemable,
  clock,
}: PressureOptions) {
  const counters = createCounters(config);
  // Few checks of one subject run at once, so that a burst of right passwords isn't taken for failures.
  const turns = createTurnsByKey({ ...turnsOfOneSubject, refusal: overloaded });

  const limits = createLimits({ config, attempts, database, refusals, isRedeemable, clock });
  const gate = createGate({ attempts, database, clock });
  const failures = createFailures({ mailShare: limits.mailShare, refusals, clock });

  const secondsUntil = (at: Millis): number => secondsBetween(clock.now(), at);

  /** Charges the counters. Undefined when another check got in between: look again. */
  async function chargeAll(of: Counters): Promise<{ total: number | undefined } | undefined> {
    const now = clock.now();
    const { total } = of;
    const all = allOf(of).toSorted(byKey);
    const charged = await database.batch(
      all.map((counter) => ({ ...attempts.charge(counter, now), guard: counter !== total })),
      countedOnly,
    );
    if (!charged.applied) return undefined;
    const [row] = charged.results[all.indexOf(total)]?.rows ?? [];
    return { total: Value.Check(ChargedRow, row) ? row.attempts : undefined };
  }

  async function charge(of: Counters, check: Check, client: Client): Promise<Attempt> {
    const place = placeOf(client, provenFor(check));
    for (let asked = 0; asked <= mostAsks; asked += 1) {
      const rows = await attempts.find([...allOf(of), ...of.areas]);
      if (check.by === "device" && gate.isUsedUp(rows, of.total))
        return charge(counters.of(check.otherwise, client), check.otherwise, client);
      if (await gate.refuseFull(of, rows, { check, isLastAsk: asked === mostAsks })) {
        await Bun.sleep(askAgainMs);
        continue;
      }
      if (check.by !== "factor" && check.by !== "passkey" && !hasRoom(place)) throw overloaded();
      const charged = await chargeAll(of);
      if (charged !== undefined) return chargedAttempt(of, charged.total, { check, client, place });
    }
    throw overloaded();
  }

  /** Makes the attempt. `inARow`: the failures in a row if this one fails too; undefined when there were too many already. */
  function chargedAttempt(of: Counters, inARow: number | undefined, { check, client, place }: Charged): Attempt {
    const { lock, rate, total, address, areas, clears, isRateKept = false } = of;
    const refunds = [...(address === undefined ? [] : [address.key]), ...(isRateKept ? [rate.key] : [])];
    const inOrder = (all: readonly Counter[]) => all.toSorted(byKey).flatMap(({ key }) => attempts.refund(key));
    const keys = [lock.key, ...(isRateKept ? [] : [rate.key]), total.key, ...clears];
    const cleared = keys.map((key) => ({ key, statements: [attempts.clear(key)] }));
    // A full counter was not charged.
    const charged = [lock, rate, ...(inARow === undefined ? [] : [total]), ...(address === undefined ? [] : [address])];
    return {
      isBlocked: inARow === undefined,
      place,
      succeeded: [...cleared, ...refunds.map((key) => ({ key, statements: attempts.refund(key) }))]
        .toSorted(byKey)
        .flatMap(({ statements }) => statements),
      untried: inOrder(charged),
      halfway: inOrder(charged.filter((counter) => counter !== rate)),
      keys,
      async failed(reason, failure) {
        const isStrangers = check.by === "stranger" || (check.by === "factor" && check.sessionId === undefined);
        const blocks =
          isStrangers && check.userId !== undefined && total.limit === failuresInARow && inARow === failuresInARow;
        const keptOut = keptOutBy(check);
        const failing = [
          { key: lock.key, statement: attempts.fail(lock, keptOut) },
          ...(address === undefined ? [] : [{ key: address.key, statement: attempts.fail(address, nobody) }]),
          ...areas.map((area) => ({ key: area.key, statement: attempts.charge(area, clock.now()) })),
          ...(blocks
            ? [{ key: total.key, statement: attempts.keepOut(total.key, { ...keptOut, by: "account" }) }]
            : []),
        ].toSorted(byKey);
        const notes = failure.notes ?? [];
        const batch = await database.batch([...notes, ...failing.map(({ statement }) => statement)], countedOnly);
        const at = notes.length + failing.findIndex(({ key }) => key === lock.key);
        const [row] = (batch.applied ? batch.results[at]?.rows : undefined) ?? [];
        // The row is gone where a success has cleared the counter meanwhile. A challenge that is used up locks nothing but itself.
        const isChallenge = check.by === "factor" && check.sessionId === undefined;
        const locked = !isChallenge && Value.Check(FailedRow, row) && row.failures >= lock.limit ? row : undefined;
        failures.record(failure, client, { lockedUntil: locked?.expiresAt, blocks });
        const why = { flaw: failure.why, userId: failure.user?.id };
        return locked === undefined
          ? new AppError(reason, why)
          : new AppError("account_locked", { retryAfterSeconds: secondsUntil(locked.expiresAt), ...why });
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

  const clearAll = (keys: readonly string[]): readonly Statement[] => keys.toSorted().map((key) => attempts.clear(key));

  return {
    /** Charges one password check and runs it. Throws `rate_limited`, `account_locked` or `overloaded` without running it. */
    attempt<T>(check: Check, client: Client, work: (attempt: Attempt) => Promise<T>): Promise<T> {
      const of = counters.of(check, client);
      return turns.run(of.lock.key, async () => {
        const attempt = await charge(of, check, client).catch((error: unknown) => {
          failures.refused(check, client, error);
          throw error;
        });
        return run(attempt, work);
      });
    },

    /**
     * Returns statements that lift the locks and failures that strangers have caused for an account, for the batch that gives it a new
     * password.
     */
    forgive: (user: Named): readonly Statement[] => clearAll(strangersKeys(user)),

    /** Forgives a user who loses the second factors: wrong passwords are forgotten, and wrong codes as well. */
    forgiveWithCodes: (user: Named): readonly Statement[] => clearAll([...strangersKeys(user), codesKey(user)]),

    clearAll,

    ...limits,
  };
}

export type Pressure = ReturnType<typeof createPressure>;

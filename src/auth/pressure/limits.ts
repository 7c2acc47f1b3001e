import { hour, type Clock } from "../../core/clock.ts";
import { tokenHash } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import { byNobody } from "../journal.ts";
import { countedOnly, secondsBetween, type AttemptRepository, type Counter } from "./attempt.repository.ts";
import type { PressureConfig } from "./counters.ts";
import type { Refusals } from "./refusals.ts";

interface LimitOptions {
  readonly config: Pick<PressureConfig, "ipRateLimit">;
  readonly attempts: AttemptRepository;
  readonly database: Database;
  readonly refusals: Pick<Refusals, "add">;
  readonly clock: Clock;
}

export type LimitedRequest =
  | "register"
  | "password-reset"
  | "password-reset-confirm"
  | "email-login"
  | "email-login-confirm"
  | "email-verification"
  | "email-verification-confirm"
  | "email-change"
  | "oauth-start"
  | "invitation";

/** So many times within a duration of the first. */
interface Share {
  readonly subject: string;
  readonly limit: number;
  readonly durationMs: number;
}

/** Mails that strangers can cause for one user: as many as resets. */
const strangersMailsPerHour = 10;

/** Limits of what is counted without a password: requests from an address, and what is done to or by a user. */
export function createLimits({ config, attempts, database, refusals, clock }: LimitOptions) {
  const window = (subject: string, limit: number, durationMs: number): Counter => ({
    key: tokenHash(subject),
    kind: "window",
    limit,
    durationMs,
  });

  const hourlyShare = (subject: string, limit: number): Statement => ({
    ...attempts.charge(window(subject, limit, hour), clock.now()),
    guard: true,
  });

  /** Of counters that are full, when the last one ends. */
  async function refusal(counters: readonly Counter[]): Promise<AppError> {
    const rows = await attempts.find(counters);
    const full = rows.filter(({ key, attempts: count }) =>
      counters.some((counter) => counter.key === key && count >= counter.limit),
    );
    const now = clock.now();
    const end = Math.max(now, ...full.map(({ expiresAt }) => expiresAt));
    return new AppError("rate_limited", { retryAfterSeconds: secondsBetween(now, end) });
  }

  async function charge(counter: Counter): Promise<void> {
    const { sql, params } = attempts.charge(counter, clock.now());
    if ((await database.run(sql, params, countedOnly)).changes === 1) return;
    throw await refusal([counter]);
  }

  const recordRefusal = (kind: LimitedRequest, client: Client): void =>
    refusals.add(
      {
        topic: "auth.request-refused",
        payload: { user_id: null, count: 1 },
        by: byNobody(client),
        outcome: "failure",
        reason: kind.replaceAll("-", "_"),
        at: clock.now(),
      },
      client.bucket,
    );

  return {
    /** A guard that holds `limit` times within an hour of the first, counted for that subject alone. */
    hourlyShare,

    /** The guard of a batch that mails a user on a stranger's word: holds it back once the hour's share is used up. */
    mailShare: (userId: string): Statement => hourlyShare(`mail|${userId}`, strangersMailsPerHour),

    /**
     * Guards of one batch that hold while none of these is used up, in the order of locks; at most four. `refusal` is the error for
     * a batch that one of them undid.
     */
    shares(shares: readonly Share[]) {
      const counters = shares
        .map(({ subject, limit, durationMs }) => window(subject, limit, durationMs))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1));
      return {
        statements: counters.map((counter): Statement => ({ ...attempts.charge(counter, clock.now()), guard: true })),
        refusal: () => refusal(counters),
      };
    },

    /** Charges one of the `limit` times an hour that a user may do this. Throws `rate_limited`. */
    limitHourly: (kind: string, userId: string, limit: number): Promise<void> =>
      charge(window(`${kind}|${userId}`, limit, hour)),

    /** Charges a request that anyone may send to its client's address. Throws `rate_limited`. */
    async limitAddress(kind: LimitedRequest, client: Client): Promise<void> {
      const { attempts: most, durationMs } = config.ipRateLimit;
      try {
        await charge(window(`${kind}|${client.bucket}`, most, durationMs));
      } catch (error) {
        if (error instanceof AppError) recordRefusal(kind, client);
        throw error;
      }
    },
  };
}

export type Limits = ReturnType<typeof createLimits>;

import { hour, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { createLots } from "../../core/pace/lots.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import { byNobody } from "../journal.ts";
import {
  byKey,
  countedOnly,
  isLive,
  secondsBetween,
  type AttemptRepository,
  type Counter,
} from "./attempt.repository.ts";
import { keyOf, limitAt, type PressureConfig } from "./counters.ts";
import type { Refusals } from "./refusals.ts";

interface LimitOptions {
  readonly config: Pick<PressureConfig, "ipRateLimit">;
  readonly attempts: AttemptRepository;
  readonly database: Database;
  readonly refusals: Pick<Refusals, "add">;
  readonly isRedeemable: (token: string) => Promise<boolean>;
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
  | "oauth-request"
  | "device-request"
  | "device-code"
  | "client-registration"
  | "invitation"
  | "impersonation"
  | "login-provider"
  | "passkey-options";

/** A request's proofs: a client that proves something is not held back for failures of others in the blocks around its address. */
export interface Shown {
  /** The token of a mail, a proof if it can be redeemed. */
  readonly token?: string | undefined;
  /** A live session, or a token that was checked before. */
  readonly isProven?: boolean;
}

/** A page asks for passkey options at each load: ten requests are counted as one, and nothing is written before the tenth. */
const requestsOfALot = 10;
const mostLots = 10_000;
/** How often counters are looked at anew when other requests fill one between the look and the charge. */
const mostLooks = 3;

/** A limit of times within a duration that starts with the first. */
interface Share {
  readonly subject: string;
  readonly limit: number;
  readonly durationMs: number;
}

/** Mails that strangers can cause for one user in an hour: as many as resets. */
const strangersMailsPerHour = 10;

/** Limits of acts without a password: requests from an address, and acts to or by a user. */
export function createLimits({ config, attempts, database, refusals, isRedeemable, clock }: LimitOptions) {
  const lots = createLots({ size: requestsOfALot, most: mostLots });

  const window = (subject: string, limit: number, durationMs: number): Counter => ({
    key: keyOf(subject),
    kind: "window",
    limit,
    durationMs,
  });

  const hourlyShare = (subject: string, limit: number): Statement => ({
    ...attempts.charge(window(subject, limit, hour), clock.now()),
    guard: true,
  });

  /** Returns the error for counters that are full: the wait lasts until the last of them ends. */
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

  /** Charges all of these counters or none. Throws where a counter is full. Counters that `exempt` names are neither charged nor refused. */
  async function chargeAll(
    counters: readonly Counter[],
    exempt: (full: readonly Counter[]) => Promise<readonly Counter[]>,
  ): Promise<void> {
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const now = clock.now();
      const rows = await attempts.find(counters);
      const isFull = (counter: Counter): boolean =>
        rows.some((row) => row.key === counter.key && row.attempts >= counter.limit && isLive(row, counter, now));
      const full = counters.filter(isFull);
      const exempted = full.length === 0 ? [] : await exempt(full);
      if (full.length > exempted.length) throw await refusal(full.filter((counter) => !exempted.includes(counter)));
      const charged = counters.filter((counter) => !exempted.includes(counter)).toSorted(byKey);
      const statements = charged.map((counter) => ({ ...attempts.charge(counter, now), guard: true }));
      if ((await database.batch(statements, countedOnly)).applied) return;
    }
    throw await refusal(counters);
  }

  /** Returns the counter of the client's address, and those of the blocks around it. */
  function countersAround(kind: LimitedRequest, { bucket, areas }: Client): readonly Counter[] {
    const { attempts: most, durationMs } = config.ipRateLimit;
    return [bucket, ...areas].map((block, level) => window(`${kind}|${block}`, limitAt(most, level), durationMs));
  }

  async function chargeRequest(
    kind: LimitedRequest,
    client: Client,
    { token, isProven = false }: Shown,
  ): Promise<void> {
    const all = countersAround(kind, client);
    const [address] = all;
    await chargeAll(isProven ? all.slice(0, 1) : all, async (full) => {
      const areas = full.filter((counter) => counter !== address);
      return areas.length > 0 && token !== undefined && (await isRedeemable(token)) ? areas : [];
    });
  }

  /** Charges only the address and not the blocks around it: a page that a known browser loads must not fail because of its neighbours. */
  async function chargeByTheLot(kind: LimitedRequest, client: Client): Promise<void> {
    const counters = countersAround(kind, client).slice(0, 1);
    const keys = counters.map(({ key }) => key);
    await lots.take(keys, (filled) =>
      chargeAll(
        counters.filter(({ key }) => filled.includes(key)),
        () => Promise.resolve([]),
      ),
    );
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
    /** Returns a guard that holds `limit` times within an hour of the first, counted only for that subject. */
    hourlyShare,

    /** Returns the guard of a batch that mails a user on a stranger's word: the guard fails once the hour's share is used up. */
    mailShare: (userId: string): Statement => hourlyShare(`mail|${userId}`, strangersMailsPerHour),

    /**
     * Returns guards of one batch, at most four, that hold while none of these shares is used up, in the order of locks. `refusal` is the
     * error for a batch that one of them undid.
     */
    shares(shares: readonly Share[]) {
      const counters = shares
        .map(({ subject, limit, durationMs }) => window(subject, limit, durationMs))
        .toSorted(byKey);
      return {
        statements: counters.map((counter): Statement => ({ ...attempts.charge(counter, clock.now()), guard: true })),
        refusal: () => refusal(counters),
      };
    },

    /** Charges one of the `limit` times an hour that a user may do this. Throws `rate_limited`. */
    limitHourly: (kind: string, userId: string, limit: number): Promise<void> =>
      charge(window(`${kind}|${userId}`, limit, hour)),

    /** Charges a request that anyone may send to the counters of its client's address and the blocks around it. Throws `rate_limited`. */
    async limitAddress(kind: LimitedRequest, client: Client, shown: Shown = {}): Promise<void> {
      try {
        await (kind === "passkey-options" ? chargeByTheLot(kind, client) : chargeRequest(kind, client, shown));
      } catch (error) {
        if (error instanceof AppError) recordRefusal(kind, client);
        throw error;
      }
    },
  };
}

export type Limits = ReturnType<typeof createLimits>;

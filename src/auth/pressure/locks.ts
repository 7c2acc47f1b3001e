import { addressBucket, addressBuckets } from "../../core/address/address.ts";
import type { Clock, Millis } from "../../core/clock.ts";
import { isLive, type AttemptRepository, type AttemptRow, type LockRow } from "./attempt.repository.ts";
import {
  accountKey,
  addressKey,
  codesKey,
  factorDayMs,
  factorTries,
  failuresInARow,
  limitAt,
  nameKeys,
  rateKeys,
  rememberedMs,
  type Named,
  type PressureConfig,
} from "./counters.ts";

interface LocksOptions {
  readonly config: PressureConfig;
  readonly attempts: AttemptRepository;
  readonly clock: Clock;
}

export interface Lock {
  /**
   * `locked`: too many wrong passwords for a while. `blocked`: so many in a row that only a new password opens the account.
   * `codes_used_up`: too many wrong codes of the authenticator app in a day.
   */
  readonly why: "locked" | "browser_locked" | "blocked" | "rate_limited" | "address_limited" | "codes_used_up";
  readonly until: Millis;
  /** Wrong passwords or codes that are counted; for `rate_limited` attempts of any outcome. */
  readonly count: number;
  /** The address, or the block of addresses, that the limit is about. */
  readonly address?: string;
}

/** The user name and the address are counted apart, and each keeps out people who type it. Once the later one ends, both are open. */
const latestOf = (locks: readonly Lock[]): readonly Lock[] => locks.toSorted((a, b) => b.until - a.until).slice(0, 1);

/** Tells which people counters keep out. Counters know people only by hashes of typed names. */
export function createLocks({ config, attempts, clock }: LocksOptions) {
  const { lockout, loginRateLimit, ipRateLimit, ipLoginFailures } = config;
  const inTime = (row: AttemptRow, durationMs: number): boolean => isLive(row, { durationMs }, clock.now());

  const locks = (row: LockRow): boolean => row.failures >= lockout.attempts && inTime(row, lockout.durationMs);

  function strangersLocks(user: Named, rows: ReadonlyMap<string, LockRow>): readonly Lock[] {
    const named = nameKeys(user).flatMap((key): Lock[] => {
      const row = rows.get(key);
      return row !== undefined && locks(row) ? [{ why: "locked", until: row.expiresAt, count: row.failures }] : [];
    });
    const total = rows.get(accountKey(user));
    const blocked =
      total !== undefined && total.attempts >= failuresInARow && inTime(total, rememberedMs)
        ? [{ why: "blocked", until: total.expiresAt, count: total.attempts } as const]
        : [];
    return [...latestOf(named), ...blocked];
  }

  const byKey = (rows: readonly LockRow[]): ReadonlyMap<string, LockRow> => new Map(rows.map((row) => [row.key, row]));

  /** Returns the limits by address, for addresses from which the account was tried. */
  async function limitsAt(user: Named, addresses: readonly string[]): Promise<readonly Lock[]> {
    const buckets = [...new Set(addresses.map(addressBucket))];
    /** The addresses, at level 0, and the blocks around them. */
    const levels = new Map(addresses.flatMap((each) => addressBuckets(each).map((block, level) => [block, level])));
    const keys = [...buckets.flatMap((bucket) => rateKeys(user, bucket)), ...[...levels.keys()].map(addressKey)];
    const rows = byKey(await attempts.findAll(keys));
    const overRates = buckets.flatMap((address): readonly Lock[] => {
      const overRate = rateKeys(user, address).flatMap((key): Lock[] => {
        const row = rows.get(key);
        return row !== undefined && row.attempts >= loginRateLimit.attempts && inTime(row, loginRateLimit.durationMs)
          ? [{ why: "rate_limited", until: row.expiresAt, count: row.attempts, address }]
          : [];
      });
      return latestOf(overRate);
    });
    const overBlocks = [...levels].flatMap(([address, level]): Lock[] => {
      const row = rows.get(addressKey(address));
      if (row === undefined || !inTime(row, ipRateLimit.durationMs)) return [];
      // An address has its failures beside its attempts; a block is charged only for failures.
      const count = level === 0 ? row.failures : row.attempts;
      if (count < limitAt(ipLoginFailures, level)) return [];
      return [{ why: "address_limited", until: row.expiresAt, count, address }];
    });
    return [...overRates, ...overBlocks];
  }

  function codesLock(row: LockRow | undefined): readonly Lock[] {
    const isFull = row !== undefined && row.attempts >= factorTries.ofAccountADay && inTime(row, factorDayMs);
    return isFull ? [{ why: "codes_used_up", until: row.expiresAt, count: row.attempts }] : [];
  }

  async function browserRows(user: Named): Promise<readonly LockRow[]> {
    const rows = await attempts.locksOf(user.id);
    return rows.filter((row) => row.locksBy === "browser" && locks(row));
  }

  return {
    /** Returns the locks that strangers have caused for each of these accounts, by id. */
    async ofAll(users: readonly Named[]): Promise<ReadonlyMap<string, readonly Lock[]>> {
      const rows = byKey(await attempts.findAll(users.flatMap((user) => [...nameKeys(user), accountKey(user)])));
      return new Map(users.map((user) => [user.id, strangersLocks(user, rows)]));
    },

    /** Returns every lock and limit against one account, tried from these addresses. */
    async of(user: Named, addresses: readonly string[]): Promise<readonly Lock[]> {
      const [rows, browsers, limits] = await Promise.all([
        attempts.findAll([...nameKeys(user), accountKey(user), codesKey(user)]),
        browserRows(user),
        limitsAt(user, addresses),
      ]);
      const ofBrowsers = browsers.map(({ expiresAt, failures }): Lock => ({
        why: "browser_locked",
        until: expiresAt,
        count: failures,
      }));
      const ofAccount = byKey(rows);
      return [
        ...strangersLocks(user, ofAccount),
        ...codesLock(ofAccount.get(codesKey(user))),
        ...ofBrowsers,
        ...limits,
      ];
    },

    /** Returns the keys of all counters against the account, full or not. Counters of an address over all names are not among them. */
    async keysOf(user: Named, addresses: readonly string[]): Promise<readonly string[]> {
      const rates = addresses.flatMap((address) => rateKeys(user, addressBucket(address)));
      const [rows, browsers] = await Promise.all([
        attempts.findAll([...new Set([...nameKeys(user), accountKey(user), codesKey(user), ...rates])]),
        browserRows(user),
      ]);
      const now = clock.now();
      return [...rows.filter(({ expiresAt }) => expiresAt > now), ...browsers].map(({ key }) => key);
    },

    /** Returns ids of people whom a counter may keep out, the greatest first; `ofAll` says whether it does. */
    candidates: (before: string, limit: number): Promise<readonly string[]> =>
      attempts.lockedUsers(before, clock.now(), limit),

    /** How long a failure may still count for a limit that is not the account's own. */
    remembersMs: Math.max(lockout.durationMs, loginRateLimit.durationMs, ipRateLimit.durationMs),
  };
}

export type Locks = ReturnType<typeof createLocks>;

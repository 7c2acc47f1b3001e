import { readFileSync, readdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { randomToken } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import { type Place, createFairTurns } from "../../core/pace/fair.turns.ts";
import type { Log } from "../../observe/index.ts";
import { createEvenPace } from "./even.pace.ts";
import { readStoredHash } from "./stored.hash.ts";

/** Steps of niceness: a third of the other threads' share of a busy core, all of an idle one. */
const stepsBack = 5;
const mostNice = 19;
const threads = "/proc/self/task";
const poolThread = "Bun Pool";

/**
 * Gives the threads that hash a lower priority than the one that serves (on Linux; elsewhere nothing happens): with equal priority they
 * hold up every other request for a time slice. The runtime starts them one by one, as they are first needed.
 */
function lowerHashPriority(log: Log): void {
  if (process.platform !== "linux") return;
  try {
    const niceness = Math.min(mostNice, getPriority() + stepsBack);
    for (const id of readdirSync(threads)) {
      if (readFileSync(`${threads}/${id}/comm`, "utf8").startsWith(poolThread)) setPriority(Number(id), niceness);
    }
  } catch (error) {
    // The thread has ended meanwhile, or a sandbox has no /proc: hashes are made all the same.
    log.debug("the priority of the hashing threads was not lowered", { error });
  }
}

/** What one Argon2id hash takes, on one thread. */
export interface PasswordCost {
  readonly memoryKiB: number;
  readonly passes: number;
}

/** OWASP Password Storage Cheat Sheet, Argon2id: m = 19 MiB, t = 2, p = 1. */
const shippedCost: PasswordCost = { memoryKiB: 19_456, passes: 2 };
/** The beginning of every hash that is made at that cost. */
const formOf = ({ memoryKiB, passes }: PasswordCost): string => `$argon2id$v=19$m=${memoryKiB},t=${passes},p=1$`;
/** Salt and digest of a random password that nobody kept: an unknown login is checked against them, at the cost of a new hash. */
const decoy = "WYL5oNN3Z+f2biMVj0qwfA$RnMJUd8ozxTNgmtmnvGvx/H7nZR1HuUg+yhcS7+YsMs";

export interface PasswordCheck {
  readonly valid: boolean;
  /** Whether the stored hash is of another kind or cost than a new one: renew it while the password is at hand. */
  readonly outdated: boolean;
}

interface HashAlgorithm {
  hash(password: string): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
}

interface HasherOptions {
  /** How many hashes are computed at once, and how many more may wait. */
  readonly concurrency: number;
  readonly queueLimit: number;
  /** Returns a hash of an account that another system has made, if there is any. */
  readonly anyOldHash: () => Promise<string | undefined>;
  /** What a new hash takes. Default: what is shipped. No setting changes it; tests that are not about it hash at less. */
  readonly cost?: PasswordCost | undefined;
  readonly log: Log;
}

async function loadAlgorithm(
  { memoryKiB: memoryCost, passes: timeCost }: PasswordCost,
  log: Log,
): Promise<HashAlgorithm> {
  try {
    const argon2 = await import("@node-rs/argon2");
    return {
      hash: (password) => argon2.hash(password, { memoryCost, timeCost, parallelism: 1 }),
      verify: (stored, password) => argon2.verify(stored, password),
    };
  } catch (error) {
    log.warn("the native Argon2 addon can't be loaded; the runtime's own, slower one is used", { error });
    return {
      hash: (password) => Bun.password.hash(password, { algorithm: "argon2id", memoryCost, timeCost }),
      verify: (stored, password) => Bun.password.verify(password, stored),
    };
  }
}

const loadAfterMs = 100;

/** The place of hashes that no request asks for. */
const nobodysPlace: Place = { path: ["nobody"] };

/**
 * Argon2id in PHC form; at most `concurrency` at once, so that a flood of logins can't starve the other routes. Blocks of addresses take
 * turns, so that a flood from one of them can't starve the rest either. Half of the places are for clients who have proven something before
 * the hash: strangers of any number of addresses can't starve those.
 */
export function createPasswordHasher(options: HasherOptions) {
  const { concurrency, queueLimit, anyOldHash, cost = shippedCost, log } = options;
  let loading: Promise<HashAlgorithm> | undefined;
  const algorithm = (): Promise<HashAlgorithm> => (loading ??= loadAlgorithm(cost, log));
  // A start does not wait for native code, and no sign-in does either: it is loaded once the port is open.
  setTimeout(() => void algorithm(), loadAfterMs).unref();
  const currentForm = formOf(cost);
  const unknown = `${currentForm}${decoy}`;
  const turns = createFairTurns({
    running: concurrency,
    waiting: queueLimit,
    refusal: () => new AppError("overloaded", { retryAfterSeconds: 1 }),
  });
  let finished = 0;

  const inTurn = <T>(work: () => Promise<T>, place: Place): Promise<T> =>
    turns.run(async () => {
      try {
        return await work();
      } finally {
        finished += 1;
        // Runs after the 1st, 2nd, 4th, … hash: a thread started since is found sooner or later, at no cost worth counting.
        if ((finished & (finished - 1)) === 0) lowerHashPriority(log);
      }
    }, place);

  /** A hash that costs too much is refused like an unreadable one: nobody could have imported it. */
  async function verifyStored(stored: string, password: string): Promise<boolean> {
    const hash = readStoredHash(stored);
    if (hash === undefined || hash.excess !== undefined) throw new Error(`it ${hash?.excess ?? "is of no known kind"}`);
    return hash.verify(password, (await algorithm()).verify);
  }

  /** Returns whether the password matches, and how long the check itself took, without the wait for a place. */
  const check = (stored: string, password: string, place: Place) =>
    inTurn(async () => {
      const startedAt = performance.now();
      const matches = await verifyStored(stored, password).catch(async (error: unknown) => {
        log.error("a stored password hash can't be read", { error });
        await (await algorithm()).verify(unknown, password);
        return false;
      });
      const tookMs = performance.now() - startedAt;
      if (!stored.startsWith(currentForm)) pace.learn(tookMs);
      return { matches, tookMs };
    }, place);

  const pace = createEvenPace({
    async tryOne() {
      const old = await anyOldHash();
      if (old !== undefined) await check(old, randomToken(), nobodysPlace);
    },
    log,
  });

  return {
    hash: (password: string, place: Place): Promise<string> =>
      inTurn(async () => (await algorithm()).hash(password), place),

    /** Returns whether a password of that place would be hashed now or later, rather than refused for want of room. */
    hasRoom: turns.hasRoom,

    /**
     * Checks a password. With nothing stored, does the same work and answers no, so that the time does not tell whether there is an
     * account. For the same reason every refusal takes as long as that of a foreign hash, where there are any.
     */
    async verify(stored: string | null, password: string, place: Place): Promise<PasswordCheck> {
      const { matches, tookMs } = await check(stored ?? unknown, password, place);
      const valid = stored !== null && matches;
      if (!valid) await pace.keep(tookMs);
      return { valid, outdated: valid && !stored.startsWith(currentForm) };
    },
  };
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../../core/errors.ts";
import { secretsEqual } from "../../core/crypto.ts";
import { createTurns } from "../../core/turns.ts";
import type { Log } from "../../observe/index.ts";
import { lowerHashPriority } from "./hash.priority.ts";

/** OWASP Password Storage Cheat Sheet, Argon2id: m = 19 MiB, t = 2, p = 1. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The hash of a random password that nobody kept: an unknown login is checked against it. */
const decoy = "$argon2id$v=19$m=19456,t=2,p=1$WYL5oNN3Z+f2biMVj0qwfA$RnMJUd8ozxTNgmtmnvGvx/H7nZR1HuUg+yhcS7+YsMs";
const currentForm = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;

export interface PasswordCheck {
  readonly valid: boolean;
  /** The stored hash is older or weaker than a new one would be: renew it while the password is at hand. */
  readonly outdated: boolean;
}

interface HashAlgorithm {
  hash(password: string): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
}

interface HasherOptions {
  /** Hashes computed at once, and how many more may wait. */
  readonly concurrency: number;
  readonly queueLimit: number;
  readonly log: Log;
}

async function loadAlgorithm(log: Log): Promise<HashAlgorithm> {
  try {
    const argon2 = await import("@node-rs/argon2");
    return {
      hash: (password) => argon2.hash(password, parameters),
      verify: (stored, password) => argon2.verify(stored, password),
    };
  } catch (error) {
    log.warn("the native Argon2 addon can't be loaded; the runtime's own, slower one is used", { error });
    const { memoryCost, timeCost } = parameters;
    return {
      hash: (password) => Bun.password.hash(password, { algorithm: "argon2id", memoryCost, timeCost }),
      verify: (stored, password) => Bun.password.verify(password, stored),
    };
  }
}

const scryptAsync = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);
const scryptForm = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Verifies an imported scrypt hash in PHC form. Its cost is bounded, so that a crafted row can't stall the process. */
async function verifyScrypt(stored: string, password: string): Promise<boolean> {
  const [, ln, r, p, salt, digest] = scryptForm.exec(stored) ?? [];
  if (salt === undefined || digest === undefined || Number(ln) > 17 || Number(r) > 16 || Number(p) > 4) return false;
  const expected = Buffer.from(digest, "base64");
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p), maxmem: 512 * 1024 * 1024 };
  const actual = await scryptAsync(password, Buffer.from(salt, "base64"), expected.length, cost);
  return secretsEqual(actual.toString("hex"), expected.toString("hex"));
}

function isOutdated(stored: string): boolean {
  const [, m, t, p] = currentForm.exec(stored) ?? [];
  if (m === undefined) return true;
  return Number(m) < parameters.memoryCost || Number(t) < parameters.timeCost || Number(p) < parameters.parallelism;
}

/**
 * Argon2id in PHC form; at most `concurrency` at once, so that a flood of logins can't starve the other routes. Addresses
 * take turns, so that a flood from one of them can't starve the others either.
 */
export async function createPasswordHasher({ concurrency, queueLimit, log }: HasherOptions) {
  const algorithm = await loadAlgorithm(log);
  const turns = createTurns({
    running: concurrency,
    waiting: queueLimit,
    refusal: () => new AppError("overloaded", { retryAfterSeconds: 1 }),
  });
  let finished = 0;

  const inTurn = <T>(work: () => Promise<T>, group?: string): Promise<T> =>
    turns.run(async () => {
      try {
        return await work();
      } finally {
        finished += 1;
        // After the 1st, 2nd, 4th, … hash: a thread started since is found sooner or later, at no cost worth counting.
        if ((finished & (finished - 1)) === 0) lowerHashPriority(log);
      }
    }, group);

  function verifyStored(stored: string, password: string): Promise<boolean> {
    if (stored.startsWith("$argon2")) return algorithm.verify(stored, password);
    if (stored.startsWith("$2")) return Bun.password.verify(password, stored);
    return verifyScrypt(stored, password);
  }

  return {
    /** `group` names whose place it takes, by address: places go to one group after the other. */
    hash: (password: string, group?: string): Promise<string> => inTurn(() => algorithm.hash(password), group),

    /** Whether a password of that group would be hashed now or later, rather than refused for want of room. */
    hasRoom: (group: string): boolean => turns.hasRoom(group),

    /** With nothing stored, does the same work and answers no, so that the time does not tell whether there is an account. */
    async verify(stored: string | null, password: string, group: string): Promise<PasswordCheck> {
      const against = stored ?? decoy;
      const matches = await inTurn(async () => {
        try {
          return await verifyStored(against, password);
        } catch (error) {
          log.error("a stored password hash can't be read", { error });
          return false;
        }
      }, group);
      const valid = stored !== null && matches;
      return { valid, outdated: valid && isOutdated(against) };
    },
  };
}

export type PasswordHasher = Awaited<ReturnType<typeof createPasswordHasher>>;

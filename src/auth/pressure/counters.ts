import type { Config } from "../../config/index.ts";
import { hour, minute } from "../../core/clock.ts";
import type { Client } from "../client.ts";
import type { Counter, KeepsOut } from "./attempt.repository.ts";

/** A check for a person who proves nothing but the password. */
interface StrangersCheck {
  readonly by: "stranger";
  /** The typed login in canonical form. */
  readonly name: string;
  /** Undefined when the name is no account's. */
  readonly userId: string | undefined;
}

/** The person who asks for a password check: this decides which counters the check is held against. */
export type Check =
  | StrangersCheck
  /** A browser that the account has signed in with before. `otherwise`: the check that applies once the browser's own counter is used up. */
  | {
      readonly by: "device";
      readonly userId: string;
      readonly deviceId: string;
      readonly otherwise: StrangersCheck;
    }
  | { readonly by: "session"; readonly sessionId: string; readonly userId: string }
  /** A second factor: of a sign-in, whose challenge has its own counter, or of a session. */
  | {
      readonly by: "factor";
      readonly method: string;
      readonly userId: string;
      readonly challengeId: string;
      /** The keys of more counters that a success clears. */
      readonly forgives: readonly string[];
      readonly sessionId?: undefined;
    }
  | { readonly by: "factor"; readonly method: string; readonly userId: string; readonly sessionId: string }
  /** A person who names no account, but shows a passkey. `userId` is undefined when the passkey is no account's. */
  | { readonly by: "passkey"; readonly credentialId: string; readonly userId: string | undefined };

/** Returns the user for whom something was proven before the check: such a check is no stranger's. */
export const provenFor = (check: Check): string | undefined =>
  check.by === "stranger" || check.by === "passkey" ? undefined : check.userId;
/** Nobody guesses the id of a passkey: a client that shows an existing one is not among those for whose failures a whole block is held back. */
export const isAnybody = (check: Check): boolean =>
  check.by === "stranger" || (check.by === "passkey" && check.userId === undefined);

/** Marks a counter that keeps nobody from signing in. */
export const nobody = { userId: null, by: "name" } as const;
/**
 * Returns the account that a full counter of such checks keeps out. A counter of a session or of a passkey leaves its owner other ways to
 * sign in.
 */
export function keptOutBy(check: Check): KeepsOut {
  if (check.by === "session" || check.by === "factor" || check.by === "passkey") return nobody;
  return { userId: check.userId ?? null, by: check.by === "device" ? "browser" : "name" };
}

export interface Counters {
  /** Locks for a while once it is full of failures. */
  readonly lock: Counter;
  readonly rate: Counter;
  /** Failures in a row, however much time lies between them. Once this counter is full, no password of this kind of check is right. */
  readonly total: Counter;
  /** Failures of the client's address over all names. */
  readonly address: Counter | undefined;
  /**
   * Failures in the blocks around that address. They are counted as they happen, so that no right password waits for a row which so many
   * clients share. The limit can therefore be passed by as many failures as are checked at once.
   */
  readonly areas: readonly Counter[];
  /** More counters that a success clears: the failures in a row of strangers at the account. */
  readonly clears: readonly string[];
  /** Whether a success takes only its own try back from `rate`, and does not clear it. */
  readonly isRateKept?: boolean;
}

export type PressureConfig = Pick<Config["auth"], "lockout" | "loginRateLimit" | "ipRateLimit" | "ipLoginFailures">;

/** NIST SP 800-63B-4 §3.2.2: no more than 100 consecutive failures of one account. */
export const failuresInARow = 100;
/** OWASP ASVS 6.6.3 asks for a bound within which guessing six digits is hopeless. */
export const factorTries = { ofChallenge: 10, ofAccountADay: 100 } as const;
/**
 * The only second factor that can be guessed. Recovery codes have 120 bits and passkeys sign: guessing them is hopeless, so wrong ones add
 * up to no limit.
 */
const guessable = "totp";
/** Returns the limit of an address for a block around it: four times that of the next smaller block. `level`: 0 for the address itself. */
export const limitAt = (limit: number, level: number): number => limit * 4 ** level;
/** Longer than a challenge lives. */
const challengeCountedMs = 10 * minute;
/** How long failures in a row are remembered: longer than anybody who guesses waits. */
export const rememberedMs = 365 * 24 * hour;
/** How many counters all names without an account share. They never fill: they are there to cost the same time. */
const nobodies = 256;

/** Returns the key of a counter: a hash, so that rows do not hold what was typed. */
export const keyOf = (subject: string): string => Bun.CryptoHasher.hash("sha256", subject, "hex");
const totalKey = (userId: string): string => keyOf(`total|user|${userId}`);
const lockKey = (subject: string): string => keyOf(`lockout|${subject}`);

export interface Named {
  readonly id: string;
  readonly usernameKey: string;
  readonly emailKey: string;
}

/** Each way to name the account is a subject of its own. */
const subjectsOf = ({ usernameKey, emailKey }: Named): readonly string[] => [
  ...new Set([`name|${usernameKey}`, `name|${emailKey}`]),
];
const dailyKey = (method: string, userId: string): string => keyOf(`factor|${method}|${userId}`);
export const factorDayMs = 24 * hour;
/** Returns the key of the counter of an account's wrong codes in a day. */
export const codesKey = ({ id }: Pick<Named, "id">): string => dailyKey(guessable, id);
const rateKey = (subject: string): string => keyOf(`login|${subject}`);

/** Returns the keys of the counters that lock the account while they are full. */
export const nameKeys = (user: Named): readonly string[] => subjectsOf(user).map(lockKey);
export const accountKey = ({ id }: Pick<Named, "id">): string => totalKey(id);
/** Returns the keys of the counters by which strangers can keep a user out: one for each way to name the account, and one for all. */
export const strangersKeys = (user: Named): readonly string[] => [...nameKeys(user), accountKey(user)];
/** Returns the keys of the counters that limit how often the account is tried from this address. */
export const rateKeys = (user: Named, bucket: string): readonly string[] =>
  subjectsOf(user).map((subject) => rateKey(`${subject}|${bucket}`));
/** Returns the key of the counter of failures of an address, or of a block around it, over all names. */
export const addressKey = (bucket: string): string => keyOf(`failures|${bucket}`);

/**
 * Counters have a space for each kind of subject, so that a name that looks like an id counts for itself. Strangers are counted by the name
 * they typed and not by its account: a lock shared by the name and the address of an account would tell that they belong together.
 */
export function createCounters({ lockout, loginRateLimit, ipRateLimit, ipLoginFailures }: PressureConfig) {
  const lock = (subject: string): Counter => ({
    key: lockKey(subject),
    kind: "streak",
    limit: lockout.attempts,
    durationMs: lockout.durationMs,
  });
  const rate = (subject: string): Counter => ({
    key: rateKey(subject),
    kind: "window",
    limit: loginRateLimit.attempts,
    durationMs: loginRateLimit.durationMs,
  });
  const total = (key: string, limit = failuresInARow): Counter => ({
    key,
    kind: "streak",
    limit,
    durationMs: rememberedMs,
  });

  /** A counter for a name without an account, which never fills. */
  function totalOfNobody(subject: string): Counter {
    const nobody = Number.parseInt(keyOf(subject).slice(0, 8), 16) % nobodies;
    return total(keyOf(`total|nobody|${nobody}`), Number.MAX_SAFE_INTEGER);
  }

  function ofAddress({ bucket, areas, isForgottenProxy }: Client): Pick<Counters, "address" | "areas"> {
    if (isForgottenProxy) return { address: undefined, areas: [] };
    const failures = (block: string, level: number): Counter => ({
      key: addressKey(block),
      kind: "window",
      limit: limitAt(ipLoginFailures, level),
      durationMs: ipRateLimit.durationMs,
    });
    return { address: failures(bucket, 0), areas: areas.map((block, index) => failures(block, index + 1)) };
  }

  function ofStranger({ name, userId }: StrangersCheck, client: Client): Counters {
    const subject = `name|${name}`;
    return {
      lock: lock(subject),
      rate: rate(`${subject}|${client.bucket}`),
      total: userId === undefined ? totalOfNobody(name) : total(totalKey(userId)),
      ...ofAddress(client),
      clears: [],
    };
  }

  /**
   * Counts by the passkey and the address. Strangers who try the account's name keep nobody from signing in with the passkey; nor do
   * strangers elsewhere who show its id, which anybody who knows the password is told. Wrong signatures bring nobody closer to a right one,
   * so none is ever the last.
   */
  function ofPasskey({ credentialId }: Extract<Check, { by: "passkey" }>, client: Client): Counters {
    const subject = `passkey|${credentialId}|${client.bucket}`;
    return {
      lock: lock(subject),
      rate: rate(subject),
      total: totalOfNobody(subject),
      ...ofAddress(client),
      clears: [],
    };
  }

  /**
   * Failures of codes add up with those of passwords, in the rows of the account, the session and the address. Factors that nobody can
   * guess have no limit a day, and their failures do not add up: a thief of the password must not be able to use up every factor of its
   * owner.
   */
  function ofFactor(check: Extract<Check, { readonly by: "factor" }>, client: Client): Counters {
    const { userId, method } = check;
    const daily = {
      key: dailyKey(method, userId),
      kind: "window",
      limit: method === guessable ? factorTries.ofAccountADay : Number.MAX_SAFE_INTEGER,
      durationMs: factorDayMs,
    } as const;
    if (check.sessionId !== undefined)
      return { ...of({ by: "session", sessionId: check.sessionId, userId }, client), rate: daily, isRateKept: true };
    return {
      lock: {
        key: lockKey(`challenge|${check.challengeId}`),
        kind: "streak",
        limit: factorTries.ofChallenge,
        durationMs: challengeCountedMs,
      },
      rate: daily,
      // Factors that can't be guessed must not use up the account's failures in a row: its right password would count as wrong.
      total: method === guessable ? total(totalKey(userId)) : totalOfNobody(userId),
      ...ofAddress(client),
      clears: [...new Set([totalKey(userId), ...check.forgives])],
      isRateKept: true,
    };
  }

  function of(check: Check, client: Client): Counters {
    if (check.by === "stranger") return ofStranger(check, client);
    if (check.by === "passkey") return ofPasskey(check, client);
    if (check.by === "factor") return ofFactor(check, client);
    const subject = check.by === "device" ? `device|${check.userId}|${check.deviceId}` : `session|${check.sessionId}`;
    return {
      lock: lock(subject),
      rate: rate(subject),
      total: total(keyOf(`total|${subject}`)),
      address: undefined,
      areas: [],
      clears: check.by === "device" ? [totalKey(check.userId)] : [],
    };
  }

  return { of };
}

import type { Config } from "../../config/index.ts";
import { hour, minute } from "../../core/clock.ts";
import { tokenHash } from "../../core/crypto.ts";
import type { Client } from "../client.ts";
import type { Counter, KeepsOut } from "./attempt.repository.ts";

/** Somebody who proves nothing but the password. */
interface StrangersCheck {
  readonly by: "stranger";
  /** What was typed as the login, in canonical form. */
  readonly name: string;
  /** Undefined when the name is no account's. */
  readonly userId: string | undefined;
}

/** Who asks for a password to be checked: that decides which counters the check is held against. */
export type Check =
  | StrangersCheck
  /** A browser that the account has signed in with before. `otherwise`: what it is once its own counter is used up. */
  | {
      readonly by: "device";
      readonly userId: string;
      readonly deviceId: string;
      readonly otherwise: StrangersCheck;
    }
  | { readonly by: "session"; readonly sessionId: string; readonly userId: string }
  /** A second factor, of a sign-in whose challenge counts for itself or of a session. */
  | {
      readonly by: "factor";
      readonly method: string;
      readonly userId: string;
      readonly challengeId: string;
      /** The keys of the counters that a success clears besides. */
      readonly forgives: readonly string[];
      readonly sessionId?: undefined;
    }
  | { readonly by: "factor"; readonly method: string; readonly userId: string; readonly sessionId: string }
  /** Somebody who names no account, but shows a passkey. `userId` is undefined when it is no account's. */
  | { readonly by: "passkey"; readonly credentialId: string; readonly userId: string | undefined };

/** For whom something was proven before the check is made, if anything was: the check is no stranger's. */
export const provenFor = (check: Check): string | undefined =>
  check.by === "stranger" || check.by === "passkey" ? undefined : check.userId;
/** Nobody guesses the id of a passkey: a client that shows an existing one is not among those for whose failures a whole block is held back. */
export const isAnybody = (check: Check): boolean =>
  check.by === "stranger" || (check.by === "passkey" && check.userId === undefined);

/** Marks a counter that keeps nobody from signing in. */
export const nobody = { userId: null, by: "name" } as const;
/** Whom a full counter of such checks keeps out. One of a session or of a passkey leaves its owner other ways to sign in. */
export function keptOutBy(check: Check): KeepsOut {
  if (check.by === "session" || check.by === "factor" || check.by === "passkey") return nobody;
  return { userId: check.userId ?? null, by: check.by === "device" ? "browser" : "name" };
}

/** The counters of one check. */
export interface Counters {
  /** Locks for a while once it is full of failures. */
  readonly lock: Counter;
  readonly rate: Counter;
  /** Failures in a row, however much time lies between them. Once it is full, no password of this kind of check is right. */
  readonly total: Counter;
  /** Failures of the client's address over all names. */
  readonly address: Counter | undefined;
  /**
   * Failures in the blocks around that address. They are counted as they happen, so that no right password waits for a row which so many
   * share: as many more may fail at the same time as there are places to be checked.
   */
  readonly areas: readonly Counter[];
  /** What a success clears besides: the failures in a row of strangers at the account. */
  readonly clears: readonly string[];
  /** Whether `rate` counts what a success does not make up for: it takes back its own try alone. */
  readonly isRateKept?: boolean;
}

export type PressureConfig = Pick<Config["auth"], "lockout" | "loginRateLimit" | "ipRateLimit" | "ipLoginFailures">;

/** NIST SP 800-63B-4 §3.2.2: no more than 100 consecutive failures of one account. */
export const failuresInARow = 100;
/** OWASP ASVS 6.6.3 asks for a bound that no guessing of six digits can come to anything within. */
export const factorTries = { ofChallenge: 10, ofAccountADay: 100 } as const;
/** The second factor that can be guessed. Recovery codes have 120 bits and passkeys sign: no number of wrong ones comes to anything. */
const guessable = "totp";
/** The limit of an address holds for each block around it as well, at four times the figure of the block within. `level`: 0 for the address. */
export const limitAt = (limit: number, level: number): number => limit * 4 ** level;
/** Longer than a challenge lives. */
const challengeCountedMs = 10 * minute;
/** Nobody who guesses waits that long. */
export const rememberedMs = 365 * 24 * hour;
/** Names that are no account share so few counters, which never fill: they are there to cost the same time. */
const nobodies = 256;

const totalKey = (userId: string): string => tokenHash(`total|user|${userId}`);
const lockKey = (subject: string): string => tokenHash(`lockout|${subject}`);

/** What an account is counted by when strangers name it. */
export interface Named {
  readonly id: string;
  readonly usernameKey: string;
  readonly emailKey: string;
}

/** Each way to name the account is a subject of its own. */
const subjectsOf = ({ usernameKey, emailKey }: Named): readonly string[] => [
  ...new Set([`name|${usernameKey}`, `name|${emailKey}`]),
];
const dailyKey = (method: string, userId: string): string => tokenHash(`factor|${method}|${userId}`);
export const factorDayMs = 24 * hour;
/** The key of the counter of an account's wrong codes in a day. */
export const codesKey = ({ id }: Pick<Named, "id">): string => dailyKey(guessable, id);
const rateKey = (subject: string): string => tokenHash(`login|${subject}`);

/** The keys of the counters that lock the account while they are full. */
export const nameKeys = (user: Named): readonly string[] => subjectsOf(user).map(lockKey);
export const accountKey = ({ id }: Pick<Named, "id">): string => totalKey(id);
/** The keys of the counters by which strangers can keep a user out: one for each way to name the account, and one for all. */
export const strangersKeys = (user: Named): readonly string[] => [...nameKeys(user), accountKey(user)];
/** The keys of the counters that limit how often the account is tried from this address. */
export const rateKeys = (user: Named, bucket: string): readonly string[] =>
  subjectsOf(user).map((subject) => rateKey(`${subject}|${bucket}`));
/** The key of the counter of failures of an address, or of a block around it, over all names. */
export const addressKey = (bucket: string): string => tokenHash(`failures|${bucket}`);

/**
 * Counters have a space for each kind of subject, so that a name that looks like an id counts for itself. Strangers are
 * counted by the name they typed and not by the account it leads to: a lock shared by the name and the address of an
 * account would tell that they belong together.
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

  /** Never full. */
  function totalOfNobody(subject: string): Counter {
    const nobody = Number.parseInt(tokenHash(subject).slice(0, 8), 16) % nobodies;
    return total(tokenHash(`total|nobody|${nobody}`), Number.MAX_SAFE_INTEGER);
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
   * Counted by the passkey and the address: neither what strangers do to the name of the account keeps anybody from signing in with it,
   * nor what they show from elsewhere under the id of the passkey, which who knows the password is told. No number of wrong
   * signatures brings anybody closer to a right one, so that none is ever the last.
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
   * The failures of codes are those of passwords: they add up in the same rows of the account, the session and the address. The day's
   * tries of what nobody guesses never run out, nor do its failures add up, so that a thief of the password can't use up every factor of its owner.
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
      // Who can't guess is no danger, and must not use up the account's failures in a row: its right password would count as wrong.
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
      total: total(tokenHash(`total|${subject}`)),
      address: undefined,
      areas: [],
      clears: check.by === "device" ? [totalKey(check.userId)] : [],
    };
  }

  return { of };
}

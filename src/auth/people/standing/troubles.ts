import type { AuditAction } from "../../../core/audit.ts";
import { day, minute, type Millis } from "../../../core/clock.ts";
import type { FactorFlaw, LoginFlaw } from "../../../core/flaws.ts";
import type { Hindrance } from "../../../core/people/standing.ts";
import type { Trouble } from "../../../core/people/troubles.ts";
import { deviceLabel } from "../../device.ts";
import type { StoredEvent } from "../../flow/account/export.service.ts";
import type { MailFate } from "../../mail/fates.ts";
import { mailboxRefused } from "../../mail/kinds.ts";
import type { UserRow } from "../../user/user.repository.ts";

interface Session {
  readonly clientId: string | null;
  readonly userAgent: string;
  readonly createdAt: Millis;
  readonly lastSeenAt: Millis;
  readonly revokedAt: Millis | null;
}

/** What is known of an account that may tell why its person does not get in. */
export interface Signs {
  readonly user: Pick<UserRow, "lastLoginAt" | "factors">;
  /** The newest events, the latest first. */
  readonly events: readonly StoredEvent[];
  readonly sessions: readonly Session[];
  /** The newest mails, the latest first. */
  readonly mails: readonly MailFate[];
  /** Questions for the second step that nobody has answered. */
  readonly unanswered: { readonly count: number; readonly last: Millis };
  /** How far the clock was off by which the last wrong code was right. */
  readonly drift: { readonly offMs: number; readonly at: Millis } | undefined;
  readonly recoveryCodesLeft: number;
  readonly standing: readonly Hindrance[];
}

/** What is older is no answer to a call of today. */
const lateMs = 7 * day;
const recentMs = day;
/** A session that begins again so often, and is never used, is no coincidence. */
const fewestUnused = 3;
/** The time that somebody has to answer the question for the second step. */
const answeringMs = 5 * minute;
/** How often a session's last use is written down. */
const usedAfterMs = minute;

const failed: AuditAction = "auth.login-failed";
const wrongPassword: LoginFlaw = "wrong_password";
const wrongCode: readonly string[] = ["wrong_code", "code_of_other_time"] satisfies FactorFlaw[];
const pressing: ReadonlySet<Hindrance["why"]> = new Set(["locked", "browser_locked", "blocked", "rate_limited"]);

/** Sums failures of one kind since a time, by the newest of them. */
function failuresOf(events: readonly StoredEvent[], reasons: readonly string[], since: Millis) {
  const found = events.filter(
    ({ action, reason, at }) => action === failed && reason !== null && reasons.includes(reason) && at > since,
  );
  const [last] = found;
  return last === undefined ? undefined : { last, count: found.reduce((sum, { count }) => sum + count, 0) };
}

function wrongPasswords({ events, standing }: Signs, since: Millis): readonly Trouble[] {
  const found = failuresOf(events, [wrongPassword], since);
  if (found === undefined || standing.some(({ why }) => pressing.has(why))) return [];
  const { last, count } = found;
  return [{ why: "wrong_passwords", at: last.at, count, ...(last.address !== null && { address: last.address }) }];
}

function secondStep({ events, drift, unanswered, recoveryCodesLeft, user }: Signs, since: Millis, now: Millis) {
  const codes = failuresOf(events, wrongCode, since);
  if (codes !== undefined) {
    const isOff = drift !== undefined && drift.at > since;
    const { last, count } = codes;
    return [{ why: "wrong_codes", at: last.at, count, ...(isOff && { offMs: drift.offMs }) } as const];
  }
  const { count, last: at } = unanswered;
  const isOpen = count === 1 && now - at < answeringMs;
  if (user.factors === 0 || count === 0 || isOpen) return [];
  return [{ why: "second_step_unanswered", at, count, codesLeft: recoveryCodesLeft } as const];
}

/** Finds the device on which sessions begin and are not used. A session that was ended on purpose was used for that. */
function unusedSessions({ sessions }: Signs, now: Millis): readonly Trouble[] {
  const own = sessions
    .filter(({ clientId, createdAt }) => clientId === null && createdAt > now - recentMs)
    .toSorted((a, b) => b.createdAt - a.createdAt);
  const [newest] = own;
  if (newest === undefined) return [];
  const there = own.filter(({ userAgent }) => userAgent === newest.userAgent);
  const used = there.findIndex(
    ({ createdAt, lastSeenAt, revokedAt }) => revokedAt !== null || lastSeenAt - createdAt >= usedAfterMs,
  );
  const unused = used === -1 ? there : there.slice(0, used);
  const first = unused.at(-1);
  if (first === undefined || unused.length < fewestUnused) return [];
  const device = deviceLabel(newest.userAgent);
  return [{ why: "unused_sessions", at: first.createdAt, count: unused.length, device }];
}

function refusedMail({ mails }: Signs, now: Millis): readonly Trouble[] {
  const last = mails.find(({ state }) => state !== "withheld");
  if (last === undefined || last.at < now - lateMs || last.answer === null) return [];
  if (last.state !== "refused" && last.state !== "gave_up") return [];
  return [{ why: "mail_refused", at: last.at, answer: last.answer, isOfMailbox: last.reason === mailboxRefused }];
}

/** Returns what goes wrong for the person, the likeliest cause of a call first. */
export function troublesOf(signs: Signs, now: Millis): readonly Trouble[] {
  const since = Math.max(signs.user.lastLoginAt ?? 0, now - lateMs);
  return [
    ...refusedMail(signs, now),
    ...secondStep(signs, since, now),
    ...wrongPasswords(signs, since),
    ...unusedSessions(signs, now),
  ];
}

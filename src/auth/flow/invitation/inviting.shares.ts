import type { By } from "../../../core/audit.ts";
import { day, hour } from "../../../core/clock.ts";
import type { Parts } from "../parts.ts";

/**
 * Mails that one mailbox gets because others want its person to have an account, counted over all who do. Those of people, of whom anybody
 * can be one, are counted apart: they would use up what staff, services and operators have for somebody.
 */
const mailboxShares = [
  { limit: 3, durationMs: hour },
  { limit: 10, durationMs: day },
] as const;
/** The most such mails in an hour by one service, member of staff or person: a thief of a secret must not make this a sender of spam. */
const inviterLimit = 500;

/** Who invites, as counters know them; undefined for operators, who are not counted. */
function inviterOf(by: By): string | undefined {
  if (by.actor === "staff" || by.actor === "user") return `${by.actor}|${by.userId}`;
  return by.actor === "service" ? `service|${by.service}` : undefined;
}

/**
 * Returns the guards of a batch by which somebody is invited to an account, or asked to choose its first password. They count by the
 * address, so that deleting the account and making it again forgets nothing. `newPerDay`: how many people a person may invite anew in a
 * day, counted by the person, since a person who makes organizations could delete one and go on in the next.
 */
export function invitingShares(pressure: Parts<"pressure">["pressure"], key: string, by: By, newPerDay?: number) {
  const inviter = inviterOf(by);
  const kind = by.actor === "user" ? "invitation-by-people" : "invitation";
  const isCounted = by.actor === "user" && newPerDay !== undefined;
  return pressure.shares([
    ...mailboxShares.map((share) => ({ subject: `${kind}|${share.durationMs}|${key}`, ...share })),
    ...(inviter === undefined ? [] : [{ subject: `inviter|${inviter}`, limit: inviterLimit, durationMs: hour }]),
    ...(isCounted ? [{ subject: `inviter-new|${inviter}`, limit: newPerDay, durationMs: day }] : []),
  ]);
}

import type { By } from "../../../core/audit.ts";
import { day, hour } from "../../../core/clock.ts";
import type { Parts } from "../parts.ts";

/** Mails that one mailbox gets because others want its person to have an account, counted over all who do. */
const mailboxShares = [
  { limit: 3, durationMs: hour },
  { limit: 10, durationMs: day },
] as const;
/** The most such mails in an hour by one service or member of staff: a thief of a secret must not make this a sender of spam. */
const inviterLimit = 500;

/**
 * Returns the guards of a batch by which somebody is invited to an account, or asked to choose its first password. They count by the
 * address, so that deleting the account and making it again forgets nothing.
 */
export function invitingShares(pressure: Parts<"pressure">["pressure"], key: string, by: By) {
  const inviter = by.actor === "staff" ? `staff|${by.userId}` : by.actor === "service" ? `service|${by.service}` : "";
  return pressure.shares([
    ...mailboxShares.map((share) => ({ subject: `invitation|${share.durationMs}|${key}`, ...share })),
    ...(inviter === "" ? [] : [{ subject: `inviter|${inviter}`, limit: inviterLimit, durationMs: hour }]),
  ]);
}

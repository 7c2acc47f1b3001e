import type { AuditAction } from "../../../core/audit.ts";
import type { Millis } from "../../../core/clock.ts";
import type { StoredEvent } from "../../flow/account/export.service.ts";

export interface EventsOf {
  ofSubject(userId: string, before: undefined, limit: number): Promise<readonly StoredEvent[]>;
}

export const eventsShown = 50;
const failures: ReadonlySet<string> = new Set(["auth.login-failed", "auth.attempt-refused"] satisfies AuditAction[]);
const most = 10;

/** Returns the addresses that failed sign-ins came from since then, the newest first. */
export function addressesOfFailures(events: readonly StoredEvent[], since: Millis): readonly string[] {
  const failed = events.filter(({ action, at }) => failures.has(action) && at >= since);
  return [...new Set(failed.flatMap(({ address }) => address ?? []))].slice(0, most);
}

/** Returns the addresses of failures among the account's newest events. */
export const failedAddresses = async (audit: EventsOf, userId: string, since: Millis): Promise<readonly string[]> =>
  addressesOfFailures(await audit.ofSubject(userId, undefined, eventsShown), since);

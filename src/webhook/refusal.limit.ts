import { minute, type Clock, type Millis } from "../core/clock.ts";
import type { Topic } from "../core/topics.ts";
import type { Log } from "../observe/index.ts";

interface RefusalLimitOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** How many refused logins a minute one webhook gets from one process. */
  readonly mostPerMinute?: number;
  readonly onWithheld: (webhook: string) => void;
}

/** Events that strangers can cause as often as they like. */
const refusals: ReadonlySet<Topic> = new Set(["auth.login-failed", "auth.locked", "auth.logins-blocked"]);

/**
 * Keeps a flood of refused logins from becoming a flood of messages: events over the limit are counted and left to the audit log. Every
 * other event takes a proof or a password to cause.
 */
export function createRefusalLimit({ clock, log, mostPerMinute = 60, onWithheld }: RefusalLimitOptions) {
  const windows = new Map<string, { readonly startedAt: Millis; count: number }>();

  return function isWithheld(webhook: string, topic: Topic): boolean {
    if (!refusals.has(topic)) return false;
    const now = clock.now();
    const known = windows.get(webhook);
    const isOver = known === undefined || now < known.startedAt || now - known.startedAt >= minute;
    const window = isOver ? { startedAt: now, count: 0 } : known;
    windows.set(webhook, window);
    window.count += 1;
    if (window.count <= mostPerMinute) return false;
    if (window.count === mostPerMinute + 1)
      log.warn("a webhook gets no more refused logins for a minute: the audit log has them all", {
        webhook,
        most_per_minute: mostPerMinute,
      });
    onWithheld(webhook);
    return true;
  };
}

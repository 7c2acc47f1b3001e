import type { Millis } from "../core/clock.ts";
import type { PartitionCapability } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import { auditParts } from "./audit.repository.ts";

/** How many whole months have a part of their own before they begin. */
const monthsAhead = 2;

/** Returns when the month of that time begins, in UTC, or the one that many months after it. */
export function beginOfMonth(now: Millis, monthsLater = 0): Millis {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater, 1);
}

const nameOf = (begin: Millis): string =>
  `${auditParts.table}_${new Date(begin).toISOString().slice(0, 7).replaceAll(/\W/g, "_")}`;

/** Keeps the audit log of a server in parts, one for each month. */
export const createMonths = (partitions: PartitionCapability, log: Log) => ({
  /**
   * Has the next months end where they end. The month that has begun is left as it is, since rows that are being written lie at its end. A clock
   * that was wrong for a while leaves no more than a few empty parts.
   */
  async makeAhead(now: Millis): Promise<void> {
    try {
      for (let months = 1; months <= monthsAhead; months += 1) {
        const begin = beginOfMonth(now, months + 1);
        const isDivided = await partitions.divide(auditParts, begin, nameOf(begin));
        if (isDivided) log.info("the audit log has a part for another month", { part: nameOf(begin) });
      }
    } catch (error) {
      log.warn("the audit log could not be divided by months: it goes on in the part that it has", { error });
    }
  },

  /** Drops the parts all rows of which are from before that time. */
  async drop(before: Millis): Promise<void> {
    try {
      for (const { name, rows } of await partitions.drop(auditParts, before))
        log.info("a month of the audit log dropped", { part: name, rows });
    } catch (error) {
      log.warn("months of the audit log could not be dropped: their rows are deleted one by one", { error });
    }
  },
});

export type Months = ReturnType<typeof createMonths>;

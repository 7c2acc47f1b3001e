import type { Millis } from "../core/clock.ts";
import type { Position } from "../core/text/position.ts";
import { sql, type Database, type SqlValue } from "../drivers/database/index.ts";
import { auditColumns, type AuditRow } from "./audit.repository.ts";

export interface AuditSearch {
  readonly subjectUserId?: string | undefined;
  /** The member of staff who acted. */
  readonly staffUserId?: string | undefined;
  readonly service?: string | undefined;
  /** A normalised address, as rows have it. */
  readonly address?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: string | undefined;
  readonly reason?: string | undefined;
  /** Inclusive lower bound. */
  readonly since?: Millis | undefined;
  /** Exclusive upper bound. */
  readonly until?: Millis | undefined;
}

interface Lead {
  readonly condition: string;
  readonly params: Readonly<Record<string, SqlValue>>;
  /** Filters that the index has answered. The remaining ones are compared row by row. */
  readonly answers: readonly (keyof AuditSearch)[];
}

/** Actors that most rows have: an index on them would save no reads. */
const commonActors: readonly string[] = ["user", "anonymous"];

/** Returns the filter whose index leads to the fewest rows, as far as that can be known without counting. */
function leadOf({ subjectUserId, staffUserId, service, address, actor, action, outcome }: AuditSearch): Lead {
  if (subjectUserId !== undefined)
    return {
      condition: "subject_user_id = $subjectUserId",
      params: { subjectUserId },
      answers: ["subjectUserId"],
    };
  if (staffUserId !== undefined)
    return {
      condition: "actor_user_id = $staffUserId and actor = 'staff'",
      params: { staffUserId },
      answers: ["staffUserId"],
    };
  if (service !== undefined) return { condition: "service = $service", params: { service }, answers: ["service"] };
  if (address !== undefined) return { condition: "address = $address", params: { address }, answers: ["address"] };
  if (actor !== undefined && !commonActors.includes(actor))
    // The second condition is that of the partial index: without it the planner can't know that the index has all such rows.
    return {
      condition: "actor = $actor and actor not in ('user', 'anonymous')",
      params: { actor },
      answers: ["actor"],
    };
  if (action !== undefined) return { condition: "action = $action", params: { action }, answers: ["action"] };
  if (outcome === "failure") return { condition: "outcome = 'failure'", params: {}, answers: ["outcome"] };
  return { condition: "1 = 1", params: {}, answers: [] };
}

/** Returns whether a row that an index has led to satisfies the filters that the index has not answered. */
function satisfies(row: AuditRow, search: AuditSearch, lead: Lead): boolean {
  const open = (name: keyof AuditSearch): boolean => search[name] !== undefined && !lead.answers.includes(name);
  return (
    !(open("staffUserId") && (row.actor !== "staff" || row.actorUserId !== search.staffUserId)) &&
    !(open("service") && row.service !== search.service) &&
    !(open("address") && row.address !== search.address) &&
    !(open("actor") && row.actor !== search.actor) &&
    !(open("action") && row.action !== search.action) &&
    !(open("outcome") && row.outcome !== search.outcome) &&
    !(open("reason") && row.reason !== search.reason)
  );
}

export interface AuditWindow {
  readonly rows: readonly AuditRow[];
  /** The position where the next window begins; undefined after the oldest row. */
  readonly end: Position | undefined;
}

/** Reads the log along one index, window by window, newest first. */
export const createAuditSearchRepository = (db: Database) => ({
  /** Looks at `width` rows older than `before`, or at the newest ones, and returns those that satisfy the search. */
  async window(search: AuditSearch, before: Position | undefined, width: number): Promise<AuditWindow> {
    const lead = leadOf(search);
    const { since, until } = search;
    const where = [
      lead.condition,
      ...(since === undefined ? [] : ["at >= $since"]),
      ...(until === undefined ? [] : ["at < $until"]),
      ...(before === undefined ? [] : ["at <= $at and (at < $at or id < $id)"]),
    ];
    const looked = await db.all(
      sql`select ${auditColumns} from audit_events where ${where.join(" and ")} order by at desc, id desc limit $width`,
      {
        ...lead.params,
        width,
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
        ...(before && { at: before.at, id: before.id }),
      },
    );
    return {
      rows: looked.filter((row) => satisfies(row, search, lead)),
      end: looked.length < width ? undefined : looked.at(-1),
    };
  },
});

export type AuditSearchRepository = ReturnType<typeof createAuditSearchRepository>;

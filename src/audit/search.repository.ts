import type { Position } from "../core/text/position.ts";
import { sql, type Database } from "../drivers/database/index.ts";
import { auditColumns, type AuditRow, type AuditSearch } from "./audit.repository.ts";

/** Actors that most rows have: an index on them would save no reads. */
const commonActors: readonly unknown[] = ["user", "anonymous"];

/** A filter whose index the log can be read along. The remaining filters are compared row by row. */
interface Lead {
  readonly name: keyof AuditSearch;
  readonly condition: string;
  /** Whether the index leads to few rows for this value of the filter. Default: always. */
  readonly isSelective?: (value: unknown) => boolean;
}

/**
 * Leads, those first whose index has the fewest rows, as far as that can be known without counting. A second condition is that of a partial
 * index: without it the planner can't know that the index has all such rows.
 */
const leads: readonly Lead[] = [
  { name: "subjectUserId", condition: "subject_user_id = $subjectUserId" },
  { name: "staffUserId", condition: "actor_user_id = $staffUserId and actor = 'staff'" },
  { name: "organizationId", condition: "organization_id = $organizationId" },
  { name: "service", condition: "service = $service" },
  { name: "address", condition: "address = $address" },
  {
    name: "actor",
    condition: "actor = $actor and actor not in ('user', 'anonymous')",
    isSelective: (actor) => !commonActors.includes(actor),
  },
  { name: "action", condition: "action = $action" },
  {
    name: "outcome",
    condition: "outcome = $outcome and outcome = 'failure'",
    isSelective: (outcome) => outcome === "failure",
  },
];

const leadOf = (search: AuditSearch): Lead | undefined =>
  leads.find(({ name, isSelective }) => search[name] !== undefined && isSelective?.(search[name]) !== false);

const compared = ["organizationId", "service", "address", "actor", "action", "outcome", "reason"] as const;

/** Returns whether a row that an index has led to satisfies the filters. */
const satisfies = (row: AuditRow, search: AuditSearch): boolean =>
  (search.staffUserId === undefined || (row.actor === "staff" && row.actorUserId === search.staffUserId)) &&
  compared.every((name) => search[name] === undefined || row[name] === search[name]);

/** Reads the log along one index, window by window, newest first. */
export const createAuditSearchRepository = (db: Database) => ({
  /** Looks at `width` rows older than `before`, or at the newest ones, and returns those that satisfy the search. */
  async window(search: AuditSearch, before: Position | undefined, width: number) {
    const lead = leadOf(search);
    const { since, until } = search;
    const where = [
      lead?.condition ?? "1 = 1",
      ...(since === undefined ? [] : ["at >= $since"]),
      ...(until === undefined ? [] : ["at < $until"]),
      ...(before === undefined ? [] : ["at <= $at and (at < $at or id < $id)"]),
    ];
    const looked = await db.all(
      sql`select ${auditColumns} from audit_events where ${where.join(" and ")} order by at desc, id desc limit $width`,
      {
        ...(lead && { [lead.name]: search[lead.name] }),
        width,
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
        ...(before && { at: before.at, id: before.id }),
      },
    );
    return {
      rows: looked.filter((row) => satisfies(row, search)),
      /** The position where the next window begins; undefined after the oldest row. */
      end: looked.length < width ? undefined : looked.at(-1),
    };
  },
});

export type AuditSearchRepository = ReturnType<typeof createAuditSearchRepository>;

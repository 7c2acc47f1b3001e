import { shortenedAddress, type AddressBits } from "../core/address/address.ts";
import type { AuditEntry } from "../core/audit.ts";
import type { Millis } from "../core/clock.ts";
import type { Position } from "../core/text/position.ts";
import {
  sql,
  tableOf,
  type Database,
  type PartedTable,
  type SqlValue,
  type Statement,
} from "../drivers/database/index.ts";

export interface AuditRow {
  readonly id: string;
  readonly at: Millis;
  readonly app: string;
  readonly action: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly actor: string;
  readonly actorUserId: string | null;
  /** The login on the host of the person at the command line. */
  readonly operator: string | null;
  readonly subjectUserId: string | null;
  readonly service: string | null;
  readonly invitationId: string | null;
  readonly organizationId: string | null;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly count: number;
  readonly endsAt: Millis | null;
}

export interface AuditSearch {
  readonly subjectUserId?: string | undefined;
  /** The member of staff who acted. */
  readonly staffUserId?: string | undefined;
  readonly service?: string | undefined;
  readonly organizationId?: string | undefined;
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

export type AuditFilter = Omit<AuditSearch, "staffUserId" | "actor" | "reason">;

export const auditColumns = tableOf<AuditRow>("audit_events", {
  id: "id",
  at: "at",
  app: "app",
  action: "action",
  outcome: "outcome",
  reason: "reason",
  actor: "actor",
  actorUserId: "actor_user_id",
  operator: "operator",
  subjectUserId: "subject_user_id",
  service: "service",
  invitationId: "invitation_id",
  organizationId: "organization_id",
  sessionId: "session_id",
  address: "address",
  userAgent: "user_agent",
  requestId: "request_id",
  count: "count",
  endsAt: "ends_at",
});
const refusing = (part: string): string =>
  `create trigger audit_events_no_truncate before truncate on ${part} for each statement execute function refuse_audit_change()`;

/** On a server the log lies in parts by its time. A part refuses to be emptied by itself, too. */
export const auditParts: PartedTable = {
  table: "audit_events",
  column: auditColumns.columnOf("at"),
  finish: refusing,
  guard: (table) =>
    [
      refusing(table),
      `create trigger audit_events_no_update before update on ${table} for each row execute function refuse_audit_change()`,
      `create trigger audit_events_no_delete before delete on ${table} for each row execute function refuse_audit_deletion()`,
    ].join("; "),
};

const inserted = auditColumns.insert();
const insertEvent = `insert into ${inserted.into} values (${inserted.values})`;
const newestFirst = "order by at desc, id desc limit $limit";
const found = {
  ofSubject: sql`select ${auditColumns} from audit_events where subject_user_id = $subjectUserId ${newestFirst}`,
  ofSubjectBefore: sql`select ${auditColumns} from audit_events where subject_user_id = $subjectUserId
    and (at < $at or (at = $at and id < $id)) ${newestFirst}`,
};

const conditions = [
  ["subjectUserId", "subject_user_id = $subjectUserId"],
  ["action", "action = $action"],
  ["outcome", "outcome = $outcome"],
  ["since", "at >= $since"],
  ["until", "at < $until"],
  ["address", "address = $address"],
  ["service", "service = $service"],
  ["organizationId", "organization_id = $organizationId"],
] as const satisfies readonly (readonly [keyof AuditFilter, string])[];

/** How many characters of a user agent are kept: enough to tell devices apart. */
const userAgentLength = 200;

/** The app that writes, and the person who runs it where it is a command. */
interface Writer {
  readonly name: string;
  readonly operator?: string | undefined;
}

/** Returns the statement that inserts the row of an entry, for the batch of the change that the entry records. */
export const auditRow = (app: Writer, { origin, ...entry }: AuditEntry, bits?: AddressBits): Statement => ({
  sql: insertEvent,
  params: inserted.params({
    ...entry,
    app: app.name,
    operator: entry.operator ?? (entry.actor === "operator" ? (app.operator ?? null) : null),
    address:
      origin === undefined || bits === undefined ? (origin?.address ?? null) : shortenedAddress(origin.address, bits),
    userAgent: origin?.userAgent.slice(0, userAgentLength) ?? null,
    requestId: origin?.requestId ?? null,
  }),
});

/** Owns `audit_events`, which triggers keep append-only, and `audit_retention`, which exempts a prune from them. */
export const createAuditRepository = (db: Database, app: Writer, bits?: AddressBits) => ({
  /** Returns the row as a statement, for the batch of the change that it records: both are stored, or neither. */
  insert: (entry: AuditEntry): Statement => auditRow(app, entry, bits),

  /** Returns rows newest first. */
  list: (filter: AuditFilter, limit: number): Promise<AuditRow[]> => {
    const params: Record<string, SqlValue> = { limit };
    const where: string[] = [];
    for (const [name, condition] of conditions) {
      const value = filter[name];
      if (value === undefined) continue;
      params[name] = value;
      where.push(condition);
    }
    const filtered = where.length === 0 ? "" : `where ${where.join(" and ")}`;
    return db.all(sql`select ${auditColumns} from audit_events ${filtered} ${newestFirst}`, params);
  },

  /** Returns rows of one account, newest first: where `before` is given, only older ones. */
  ofSubject: (subjectUserId: string, before: Position | undefined, limit: number) =>
    before === undefined
      ? db.all(found.ofSubject, { subjectUserId, limit })
      : db.all(found.ofSubjectBefore, { subjectUserId, limit, at: before.at, id: before.id }),

  /**
   * Deletes at most `limit` rows older than `before`, of those that satisfy the condition, or the oldest, and resolves to how many. A trigger
   * refuses every deletion that `audit_retention` does not allow; only this batch sets it, and resets it. On a server rows are found again by
   * their time as well, which leads to the one part of the log where they lie.
   */
  prune: async (before: Millis, limit: number, condition?: string): Promise<number> => {
    const place = db.dialect === "postgres" ? "id, at" : "id";
    const some = condition === undefined ? "at < $before order by at" : `${condition} and at < $before`;
    const pruned = await db.batch([
      { sql: "update audit_retention set prune_before = $before", params: { before } },
      {
        sql: `delete from audit_events where at < $before and (${place}) in
                (select ${place} from audit_events where ${some} limit $limit)`,
        params: { before, limit },
      },
      { sql: "update audit_retention set prune_before = 0" },
    ]);
    return pruned.applied ? (pruned.results[1]?.changes ?? 0) : 0;
  },
});

export type AuditRepository = ReturnType<typeof createAuditRepository>;

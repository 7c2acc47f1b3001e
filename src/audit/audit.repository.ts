import type { AuditEntry } from "../core/audit.ts";
import type { Millis } from "../core/clock.ts";
import type { Position } from "../core/text/position.ts";
import type { Database, SqlValue, Statement } from "../drivers/database/index.ts";

export interface AuditRow {
  readonly id: string;
  readonly at: Millis;
  readonly app: string;
  readonly action: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly actor: string;
  readonly actorUserId: string | null;
  readonly subjectUserId: string | null;
  readonly service: string | null;
  readonly invitationId: string | null;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly count: number;
  readonly endsAt: Millis | null;
}

export interface AuditFilter {
  readonly subjectUserId?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: "success" | "failure" | undefined;
  /** Inclusive lower bound. */
  readonly since?: Millis | undefined;
  /** Exclusive upper bound. */
  readonly until?: Millis | undefined;
  readonly address?: string | undefined;
  /** The name of a service. */
  readonly service?: string | undefined;
}

export const auditColumns = `id, at, app, action, outcome, reason, actor, actor_user_id as "actorUserId",
  subject_user_id as "subjectUserId", session_id as "sessionId", address, user_agent as "userAgent",
  request_id as "requestId", count, service,
  invitation_id as "invitationId", ends_at as "endsAt"`;

const conditions = [
  ["subjectUserId", "subject_user_id = $subjectUserId"],
  ["action", "action = $action"],
  ["outcome", "outcome = $outcome"],
  ["since", "at >= $since"],
  ["until", "at < $until"],
  ["address", "address = $address"],
  ["service", "service = $service"],
] as const satisfies readonly (readonly [keyof AuditFilter, string])[];

/** How many characters of a user agent are kept: enough to tell devices apart. */
const userAgentLength = 200;

/** Returns the statement that inserts the row of an entry, for the batch of the change that the entry records. */
export const auditRow = (app: string, entry: AuditEntry): Statement => ({
  sql: `insert into audit_events (id, at, app, action, outcome, reason, actor, actor_user_id, subject_user_id,
          session_id, address, user_agent, request_id, count, service, invitation_id, ends_at)
        values ($id, $at, $app, $action, $outcome, $reason, $actor, $actorUserId, $subjectUserId,
          $sessionId, $address, $userAgent, $requestId, $count, $service, $invitationId, $endsAt)`,
  params: {
    id: entry.id,
    at: entry.at,
    app,
    action: entry.action,
    outcome: entry.outcome,
    reason: entry.reason,
    actor: entry.actor,
    actorUserId: entry.actorUserId,
    subjectUserId: entry.subjectUserId,
    sessionId: entry.sessionId,
    address: entry.origin?.address ?? null,
    userAgent: entry.origin?.userAgent.slice(0, userAgentLength) ?? null,
    requestId: entry.origin?.requestId ?? null,
    count: entry.count,
    service: entry.service,
    invitationId: entry.invitationId,
    endsAt: entry.endsAt,
  },
});

/** Owns `audit_events`, which triggers keep append-only, and `audit_retention`, which exempts a prune from them. */
export const createAuditRepository = (db: Database, app: string) => ({
  insert: (entry: AuditEntry): Statement => auditRow(app, entry),

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
    return db.all<AuditRow>(
      `select ${auditColumns} from audit_events ${filtered} order by at desc, id desc limit $limit`,
      params,
    );
  },

  /** Returns rows of one account, newest first: where `before` is given, only older ones. */
  ofSubject: (subjectUserId: string, before: Position | undefined, limit: number) =>
    db.all<AuditRow>(
      `select ${auditColumns} from audit_events where subject_user_id = $subjectUserId
       ${before === undefined ? "" : "and (at < $at or (at = $at and id < $id))"} order by at desc, id desc limit $limit`,
      { subjectUserId, limit, ...(before && { at: before.at, id: before.id }) },
    ),

  /**
   * Deletes at most `limit` rows older than `before`, and resolves to how many. A trigger refuses every deletion that `audit_retention`
   * does not allow; only this batch sets it, and resets it.
   */
  prune: async (before: Millis, limit: number): Promise<number> => {
    const pruned = await db.batch([
      { sql: "update audit_retention set prune_before = $before", params: { before } },
      {
        sql: "delete from audit_events where id in (select id from audit_events where at < $before limit $limit)",
        params: { before, limit },
      },
      { sql: "update audit_retention set prune_before = 0" },
    ]);
    return pruned.applied ? (pruned.results[1]?.changes ?? 0) : 0;
  },
});

export type AuditRepository = ReturnType<typeof createAuditRepository>;

import { normaliseAddress } from "../core/address.ts";
import type { AuditEntry } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Module } from "../core/module.ts";
import type { Database, Statement } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import { createAuditRepository, type AuditFilter, type AuditRow } from "./audit.repository.ts";
import { createPrune } from "./prune.ts";

export type { AuditFilter, AuditRow } from "./audit.repository.ts";

interface AuditOptions {
  readonly database: Database;
  /** The app that writes: both apps of an installation share one log. */
  readonly app: string;
  readonly retentionMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** A row's place in the order of the log. */
type AuditPosition = Pick<AuditRow, "at" | "id">;

export interface Audit {
  /** The row as a statement, for the batch of the change that it records: both are stored, or neither. */
  row(entry: AuditEntry): Statement;
  /** Newest first. */
  list(filter: AuditFilter, limit: number): Promise<AuditRow[]>;
  /** What happened to one account, older than a row where one is given. Newest first. */
  ofSubject(userId: string, before: AuditPosition | undefined, limit: number): Promise<AuditRow[]>;
  readonly module: Module;
}

/** The append-only log of security events: who did what to which account, when, from where, with which outcome. */
export function createAudit({ database, app, retentionMs, clock, log }: AuditOptions): Audit {
  const rows = createAuditRepository(database, app);
  return {
    row: rows.insert,

    ofSubject: rows.ofSubject,

    list: ({ address, ...filter }, limit) =>
      rows.list(
        { ...filter, address: address === undefined ? undefined : (normaliseAddress(address) ?? address) },
        limit,
      ),

    module: { schedules: [createPrune({ rows, retentionMs, clock, log })] },
  };
}

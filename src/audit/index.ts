import { normaliseAddress } from "../core/address/address.ts";
import type { AuditEntry } from "../core/audit.ts";
import type { AgeClock } from "../core/clock.trust.ts";
import type { Module } from "../core/module.ts";
import type { Position } from "../core/text/position.ts";
import type { Database, Statement } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import { createAuditRepository, type AuditFilter, type AuditRow } from "./audit.repository.ts";
import { createPrune } from "./prune.ts";
import { createAuditSearch, type AuditPage, type AuditWindows } from "./search.ts";
import { createAuditSearchRepository, type AuditSearch } from "./search.repository.ts";

export { auditRow } from "./audit.repository.ts";
export type { AuditFilter, AuditRow } from "./audit.repository.ts";
export type { AuditPage, AuditWindows } from "./search.ts";
export type { AuditSearch } from "./search.repository.ts";
export { actionInWords, actionsInWords, reasonInWords, rowInWords } from "./words.ts";

interface AuditOptions {
  readonly database: Database;
  /** The app that writes: both apps of an installation share one log. */
  readonly app: string;
  readonly retentionMs: number;
  readonly ages: AgeClock;
  readonly log: Log;
}

export interface Audit {
  /** The row as a statement, for the batch of the change that it records: both are stored, or neither. */
  row(entry: AuditEntry): Statement;
  /** Newest first. */
  list(filter: AuditFilter, limit: number): Promise<AuditRow[]>;
  /** What happened to one account, older than a row where one is given. Newest first. */
  ofSubject(userId: string, before: Position | undefined, limit: number): Promise<AuditRow[]>;
  /** A page of what satisfies a search, older than a row where one is given. Newest first. */
  page(search: AuditSearch, before: Position | undefined, limit: number): Promise<AuditPage>;
  /** What satisfies a search among so many rows, newest first, a window at a time. Returns whether the log has ended. */
  windows(search: AuditSearch, mostLookedAt: number): AuditWindows;
  readonly module: Module;
}

/** Rows have addresses in one spelling. */
const inOneSpelling = <Filter extends { readonly address?: string | undefined }>(filter: Filter): Filter => ({
  ...filter,
  address: filter.address === undefined ? undefined : (normaliseAddress(filter.address) ?? filter.address),
});

/** The append-only log of security events: who did what to which account, when, from where, with which outcome. */
export function createAudit({ database, app, retentionMs, ages, log }: AuditOptions): Audit {
  const rows = createAuditRepository(database, app);
  const search = createAuditSearch(createAuditSearchRepository(database));
  return {
    row: rows.insert,

    ofSubject: rows.ofSubject,

    list: (filter, limit) => rows.list(inOneSpelling(filter), limit),
    page: (filter, before, limit) => search.page(inOneSpelling(filter), before, limit),
    windows: (filter, mostLookedAt) => search.windows(inOneSpelling(filter), mostLookedAt),

    module: { schedules: [createPrune({ rows, retentionMs, ages, log })] },
  };
}

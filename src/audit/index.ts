import { normaliseAddress, shortenedAddress, type AddressBits } from "../core/address/address.ts";
import type { Clock } from "../core/clock.ts";
import type { AgeClock } from "../core/clock.trust.ts";
import type { Module } from "../core/module.ts";
import type { Position } from "../core/text/position.ts";
import type { Database, PartitionCapability } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import { createAuditRepository, type AuditFilter, type AuditSearch } from "./audit.repository.ts";
import { createMonths } from "./months.ts";
import { createPrune, type Retention } from "./prune.ts";
import { createAuditSearch } from "./search.ts";
import { createAuditSearchRepository } from "./search.repository.ts";
import { createUses } from "./uses.ts";

export { auditRow } from "./audit.repository.ts";
export type { AuditFilter, AuditRow, AuditSearch } from "./audit.repository.ts";
export type { AuditPage } from "./search.ts";
export { actionInWords, actionsInWords, actorInWords, detailsInWords, reasonInWords, rowInWords } from "./words.ts";

interface AuditOptions {
  readonly database: Database;
  readonly partitions?: PartitionCapability | undefined;
  /** The app that writes, and the person who runs a command of it. Both apps of an installation share one log. */
  readonly app: { readonly name: string; readonly operator?: string | undefined };
  readonly retentionMs: Retention;
  /** Whether what is kept longest stays until its month is over for all of it. */
  readonly wholeMonths?: boolean | undefined;
  /** How many leading bits of addresses are kept. Default: all. */
  readonly addressBits?: AddressBits | undefined;
  readonly clock: Clock;
  readonly ages: AgeClock;
  readonly log: Log;
}

export type Audit = ReturnType<typeof createAudit>;

const keptOf = (address: string, bits: AddressBits | undefined): string =>
  bits === undefined ? address : shortenedAddress(address, bits);

/** Spells the address of a filter as rows do, which have no more of it than its leading bits. */
const spelledBy =
  (bits: AddressBits | undefined) =>
  <Filter extends { readonly address?: string | undefined }>(filter: Filter): Filter => ({
    ...filter,
    address:
      filter.address === undefined ? undefined : keptOf(normaliseAddress(filter.address) ?? filter.address, bits),
  });

/** The append-only log of security events: who did what to which account, when, from where, with which outcome. */
export function createAudit(options: AuditOptions) {
  const { database, partitions, app, retentionMs, wholeMonths, addressBits, clock, ages, log } = options;
  const rows = createAuditRepository(database, app, addressBits);
  const inOneSpelling = spelledBy(addressBits);
  const search = createAuditSearch(createAuditSearchRepository(database));
  const uses = createUses({ database, row: rows.insert, clock, log });
  const months = partitions === undefined ? undefined : createMonths(partitions, log);
  const module: Module = {
    schedules: [createPrune({ rows, retentionMs, wholeMonths, months, ages, log })],
    close: () => uses.close(),
  };
  return {
    row: rows.insert,
    uses,
    ofSubject: rows.ofSubject,

    list: (filter: AuditFilter, limit: number) => rows.list(inOneSpelling(filter), limit),

    /** Returns a page of the rows that satisfy a search, newest first: where `before` is given, only older rows. */
    page: (filter: AuditSearch, before: Position | undefined, limit: number) =>
      search.page(inOneSpelling(filter), before, limit),

    /**
     * Yields the rows that satisfy a search, newest first, a window at a time. Looks at about `mostLookedAt` rows, and returns whether the
     * log has ended.
     */
    windows: (filter: AuditSearch, mostLookedAt: number) => search.windows(inOneSpelling(filter), mostLookedAt),

    module,
  };
}

import { auditEntry, type AuditEntry, type Occurrence } from "../core/audit.ts";
import { minute, type Clock } from "../core/clock.ts";
import { createFlushes } from "../core/pace/flushes.ts";
import { createFolds } from "../core/pace/folds.ts";
import type { Database, Statement } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import type { ServiceRepository } from "./service.repository.ts";

interface UsesOptions {
  readonly database: Database;
  readonly services: Pick<ServiceRepository, "used">;
  readonly audit: { row(entry: AuditEntry): Statement };
  readonly clock: Clock;
  readonly log: Log;
}

export interface Use {
  readonly occurrence: Occurrence & { readonly topic: "service.used" | "service.refused" };
  /** The service whose `last_used_at` is set. */
  readonly serviceId: string | undefined;
}

const flushEveryMs = 250;
const mostKinds = 1_000;
const rowsPerFlush = 100;

/**
 * Records behind the answers which services have used their secrets: one row a minute for each service, address and outcome, with the
 * number of uses. A backend that asks a thousand times a second then causes neither a commit nor a row each time. A process that is killed
 * loses what it has counted since the last row.
 */
export function createUses({ database, services, audit, clock, log }: UsesOptions) {
  const folds = createFolds<Use>({ everyMs: minute, most: mostKinds, clock });
  const flushes = createFlushes({ everyMs: flushEveryMs, isPending: folds.isPending, flush: () => write(false) });

  function statementsOf({ occurrence, serviceId }: Use, count: number): readonly Statement[] {
    const { payload } = occurrence;
    const now = clock.now();
    const row = audit.row(auditEntry({ ...occurrence, payload: { ...payload, count } }, now));
    return serviceId === undefined ? [row] : [services.used(serviceId, now), row];
  }

  async function write(all: boolean): Promise<void> {
    const due = folds.take(all);
    for (let start = 0; start < due.length; start += rowsPerFlush) {
      const some = due.slice(start, start + rowsPerFlush);
      try {
        await database.batch(some.flatMap(({ value, count }) => statementsOf(value, count)));
      } catch (error) {
        folds.putBack(some);
        log.warn("uses of services not written to the audit log yet", { rows: some.length, error });
      }
    }
  }

  return {
    /** Counts a use. Never throws and waits for nothing. Uses of one key are counted together. */
    add(key: string, use: Use): void {
      if (!folds.add(key, use)) {
        const { occurrence } = use;
        const by = { actor: "anonymous", origin: undefined } as const;
        const payload = { service: null, count: 1 };
        folds.add(occurrence.topic, { occurrence: { ...occurrence, payload, by }, serviceId: undefined }, true);
      }
      flushes.arm();
    },

    /** Writes the uses that are left. */
    async close(): Promise<void> {
      await flushes.close();
      await write(true);
    },
  };
}

export type Uses = ReturnType<typeof createUses>;

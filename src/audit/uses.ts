import { auditEntry, type AuditEntry, type Occurrence } from "../core/audit.ts";
import { minute, type Clock } from "../core/clock.ts";
import { createFlushes } from "../core/pace/flushes.ts";
import { createFolds, type Folds } from "../core/pace/folds.ts";
import type { Database, Statement } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";

interface UsesOptions {
  readonly database: Database;
  readonly row: (entry: AuditEntry) => Statement;
  readonly clock: Clock;
  readonly log: Log;
}

const actions = ["service.used", "service.refused", "client.refused", "staff.refused"] as const;

interface Use {
  readonly occurrence: Occurrence & { readonly topic: (typeof actions)[number] };
  /** Returns a statement to run with the row. */
  readonly also?: () => Statement;
}

const flushEveryMs = 250;
const mostKinds = 1_000;
const rowsPerFlush = 100;

/** Returns what is recorded of a use where too many kinds are told apart already: neither whose it was, nor from where it came. */
function restOf({ occurrence }: Use): Use {
  const by = { actor: "anonymous", origin: undefined } as const;
  if (occurrence.topic === "client.refused")
    return { occurrence: { ...occurrence, payload: { user_id: null, service: null, count: 1 }, by } };
  if (occurrence.topic === "staff.refused")
    return { occurrence: { ...occurrence, payload: { user_id: null, count: 1 }, by } };
  return { occurrence: { ...occurrence, payload: { service: null, count: 1 }, by } };
}

function counted({ topic, payload, ...rest }: Use["occurrence"], count: number): Occurrence {
  if (topic === "client.refused") return { topic, payload: { ...payload, count }, ...rest };
  if (topic === "staff.refused") return { topic, payload: { ...payload, count }, ...rest };
  return { topic, payload: { ...payload, count }, ...rest };
}

/**
 * Records behind the answers what other programs do with their secrets, and what the roles of staff keep them from: one row a minute for
 * each program, address and outcome, or member of staff and act, with the number of times. A backend that asks a thousand times a second then causes neither a commit nor a row each time. A process that is killed
 * loses what it has counted since the last row.
 */
export function createUses({ database, row, clock, log }: UsesOptions) {
  // Each action has room of its own: who is refused with a thousand addresses takes none from what is let in.
  const folds = new Map(
    actions.map((action) => [action, createFolds<Use>({ everyMs: minute, most: mostKinds, clock })]),
  );
  const isPending = (): boolean => folds.values().some((each) => each.isPending());
  const flushes = createFlushes({ everyMs: flushEveryMs, isPending, flush: () => write(false) });

  function statementsOf({ occurrence, also }: Use, count: number): readonly Statement[] {
    const statement = row(auditEntry(counted(occurrence, count), clock.now()));
    return also === undefined ? [statement] : [also(), statement];
  }

  async function write(all: boolean): Promise<void> {
    for (const each of folds.values()) await writeDue(each, all);
  }

  async function writeDue(each: Folds<Use>, all: boolean): Promise<void> {
    const due = each.take(all);
    for (let start = 0; start < due.length; start += rowsPerFlush) {
      const some = due.slice(start, start + rowsPerFlush);
      try {
        await database.batch(some.flatMap(({ value, count }) => statementsOf(value, count)));
      } catch (error) {
        each.putBack(some);
        log.warn("uses of programs not written to the audit log yet", { rows: some.length, error });
      }
    }
  }

  return {
    /** Counts a use. Never throws and waits for nothing. Uses of one key are counted together. */
    add(key: string, use: Use): void {
      const each = folds.get(use.occurrence.topic);
      if (each?.add(key, use) === false) each.add("", restOf(use), true);
      flushes.arm();
    },

    /** Writes the uses that are left. */
    async close(): Promise<void> {
      await flushes.close();
      await write(true);
    },
  };
}

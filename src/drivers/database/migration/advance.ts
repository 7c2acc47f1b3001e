import type { IndexCapability } from "../capabilities.ts";
import { hasTable, type Readable } from "../catalogue.ts";
import type { Database, SqlValue, Statement } from "../index.ts";
import { type KnownMigration, MigrationError } from "../migration.ts";
import { headWithin, readHead, textOf } from "./head.ts";
import { type Part, partsOf, type RowsPart, statementsOf } from "./parts.ts";
import { applyInTurn } from "./turn.ts";

interface AdvanceDeps {
  readonly database: Database;
  readonly indexing?: IndexCapability | undefined;
}

/** Returns the migration that is applied in part; undefined if none is. */
export async function readBegun(database: Readable) {
  if (!(await hasTable(database, "schema_head"))) return undefined;
  const [head] = await database.all<{ migration: string }>("select migration from schema_head");
  return readHead(head?.migration);
}

export const moveHead = (from: string, to: string): Statement => ({
  sql: "update schema_head set migration = $to where migration = $from",
  params: { from, to },
  guard: true,
});

/** A lock that was held for less is not worth a pause. */
const shortMs = 10;
const longestPauseMs = 2_000;

/**
 * Returns what applies a migration, part by part. Each is committed with the move of `schema_head`, which says how far the migration has
 * come: who is killed leaves it there, and the next runner goes on.
 */
export function createAdvance({ database, indexing }: AdvanceDeps) {
  /** Returns what is left to be done under the lock. */
  async function prepare(part: Part): Promise<readonly Statement[]> {
    if (part.kind === "rows") return readAhead(database, part);
    if (part.kind === "index" && indexing !== undefined) {
      await indexing.build(part);
      return [];
    }
    if (part.kind === "index") await warm(part.table);
    return statementsOf(part).map((sql) => ({ sql }));
  }

  /** Reads the table of a file into the memory of the machine: the disk is not waited for under the lock. */
  async function warm(table: string): Promise<void> {
    if (database.dialect === "sqlite") await database.all(`select count(*) as n from ${table} not indexed`);
  }

  /** SQLite has no queue for its lock. Those who wait for it get as much time as it was held. */
  async function giveWay(heldMs: number): Promise<void> {
    if (database.dialect === "sqlite" && heldMs > shortMs) await Bun.sleep(Math.min(heldMs, longestPauseMs));
  }

  async function begunParts(migration: KnownMigration): Promise<number> {
    const begun = await readBegun(database);
    if (begun?.id !== migration.id) return 0;
    if (begun.checksum === textOf(migration)) return begun.parts;
    throw new MigrationError(
      `${migration.id} is applied in part, by a release in which its text differs: run the migrate of that release first`,
    );
  }

  /** Applies what is left of a migration, and `record` with its last part. False when another runner has come in between. */
  return async (previous: string, migration: KnownMigration, record: Statement): Promise<boolean> => {
    const written = partsOf(migration.up);
    const parts: readonly Part[] = written.length > 0 ? written : [{ kind: "batch", statements: [] }];
    const headAt = (done: number): string => {
      if (done === 0) return previous;
      return done === parts.length ? migration.id : headWithin(migration, done);
    };
    let done = await begunParts(migration);
    for (const part of parts.slice(done)) {
      const prepared = await prepare(part);
      const move = moveHead(headAt(done), headAt(done + 1));
      done += 1;
      const since = performance.now();
      const last = done === parts.length ? [record] : [];
      if (!(await applyInTurn(database, [move, ...prepared, ...last]))) return false;
      await giveWay(performance.now() - since);
    }
    return true;
  };
}

/** The rows are as one moment has them, however long reading them takes. Only writing them needs a lock. */
async function readAhead(database: Database, { table, columns, select }: RowsPart): Promise<readonly Statement[]> {
  const rows = await database.all<Readonly<Record<string, SqlValue>>>(select);
  const values = columns.map((column) => `$${column}`).join(", ");
  const sql = `insert into ${table} (${columns.join(", ")}) values (${values})`;
  return rows.map((params) => ({ sql, params }));
}

import type { Clock } from "../../core/clock.ts";
import type { IndexCapability } from "./capabilities.ts";
import { checkTextOrder, hasTable, type Readable } from "./catalogue.ts";
import { sql, tableOf, type Database, type Statement } from "./index.ts";
import {
  type KnownMigration,
  type Migration,
  MigrationError,
  type MigrationKind,
  type MigrationStatus,
  type MigrationStep,
  readMigrations,
} from "./migration.ts";
import { createAdvance, moveHead, readBegun } from "./migration/advance.ts";
import { type Forecast, forecast } from "./migration/forecast.ts";
import { splitStatements } from "./migration/script.ts";
import { applyInTurn } from "./migration/turn.ts";

export { type Migration, MigrationError, type MigrationStatus, type MigrationStep } from "./migration.ts";

interface MigratorDeps {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  /** Builds indexes while others write. Without it they are built under the lock of a transaction. */
  readonly indexing?: IndexCapability | undefined;
}

export type Migrator = ReturnType<typeof createMigrator>;

export interface StepOptions {
  /** Changes nothing, and returns what a real run would do. */
  readonly dryRun?: boolean;
  /** The most migrations to run. */
  readonly step?: number;
  /** Called once each migration is committed, with how many are done of how many. */
  readonly onStep?: (step: MigrationStep, done: number, total: number) => void;
}

interface AppliedMigration {
  readonly id: string;
  readonly kind: MigrationKind;
  readonly checksum: string;
  readonly appliedAt: number;
}

const stored = tableOf<AppliedMigration>("schema_migrations", {
  id: "id",
  kind: "kind",
  checksum: "checksum",
  appliedAt: "applied_at",
});
const inserted = stored.insert();
const insertMigration = `insert into ${inserted.into} values (${inserted.values})`;
/** Far more than migrations have parts. */
const mostRounds = 10_000;
const findApplied = sql`select ${stored} from schema_migrations order by id`;

export const bookkeeping: readonly Statement[] = [
  `create table if not exists schema_migrations
     (id text primary key, kind text not null, checksum text not null, applied_at bigint not null)`,
  `create table if not exists schema_head (only_row bigint primary key check (only_row = 1), migration text not null)`,
  `insert into schema_head (only_row, migration) values (1, '') on conflict (only_row) do nothing`,
].map((sql) => ({ sql }));

/**
 * A migration is one batch with its record, or several: `migration/parts.ts` says which. Each batch first moves `schema_head` from where
 * the runner has seen it to the next migration or part: the row is locked until the commit, and of two runners only one finds it unmoved.
 * So no lock has to expire, and a runner that is killed leaves none behind.
 */
export function createMigrator({ database, migrations, clock, indexing }: MigratorDeps) {
  const known = readMigrations(migrations, database.dialect);
  const advance = createAdvance({ database, indexing });
  const status = (): Promise<MigrationStatus[]> => readStatus(database, known);

  /** Returns the applied migrations, oldest first, and the open ones. Rejects a history that this binary must not build on. */
  async function history(): Promise<{ done: KnownMigration[]; open: KnownMigration[] }> {
    const states = await status();
    refuseChanged(states);
    const unknown = states.find(({ state }) => state === "unknown");
    if (unknown !== undefined) throw newer(unknown.id);
    const pending = new Set(states.filter(({ state }) => state === "pending").map(({ id }) => id));
    const done = known.filter(({ id }) => !pending.has(id));
    const open = known.filter(({ id }) => pending.has(id));
    const [last, next] = [done.at(-1), open[0]];
    if (last !== undefined && next !== undefined && next.id < last.id) {
      throw new MigrationError(
        `${next.id} is not applied but the later ${last.id} is: give it a number after that one`,
      );
    }
    return { done, open };
  }

  return {
    /** Returns every migration that this binary or the database knows. */
    status,

    /**
     * Returns the migrations that this binary needs and the database lacks. Rejects when this binary can't run on the database. A binary
     * runs on a database that a newer release has migrated as long as those migrations are additive: so a release can be rolled back.
     */
    async pending(): Promise<string[]> {
      const states = await status();
      refuseChanged(states);
      const breaking = states.find(({ state, kind }) => state === "unknown" && kind === "breaking");
      if (breaking !== undefined) throw newer(breaking.id);
      return states.filter(({ state }) => state === "pending").map(({ id }) => id);
    },

    /** Returns what `up` will take. Reads only. */
    async forecast(step = known.length): Promise<Forecast> {
      const pending = new Set((await status()).filter(({ state }) => state === "pending").map(({ id }) => id));
      const open = known.filter(({ id }) => pending.has(id)).slice(0, step);
      return forecast(database, open, indexing !== undefined);
    },

    /** Applies pending migrations, all by default. */
    async up({ dryRun = false, step = known.length, onStep }: StepOptions = {}): Promise<MigrationStep[]> {
      const before = await history();
      if (dryRun) return before.open.slice(0, step).map(toStep);
      await checkTextOrder(database);
      await applyInTurn(database, bookkeeping);
      const steps: MigrationStep[] = [];
      // Each round applies a migration, or finds that another runner has applied it or a part of it.
      for (let round = 0; round < mostRounds && steps.length < step; round += 1) {
        const { done, open } = await history();
        const next = open[0];
        if (next === undefined) break;
        const { id, kind, checksum } = next;
        const moved = await advance(done.at(-1)?.id ?? "", next, {
          sql: insertMigration,
          params: inserted.params({ id, kind, checksum, appliedAt: clock.now() }),
        });
        if (!moved) continue;
        steps.push(toStep(next));
        onStep?.(toStep(next), steps.length, Math.min(step, steps.length - 1 + open.length));
      }
      return steps;
    },

    /** Undoes the last `step` migrations (one by default), the newest first. `dryRun` works as in `up`. */
    async down({ dryRun = false, step = 1, onStep }: StepOptions = {}): Promise<MigrationStep[]> {
      if (dryRun) {
        const applied = new Set((await status()).filter(({ state }) => state === "applied").map(({ id }) => id));
        return known
          .filter(({ id }) => applied.has(id))
          .slice(-step)
          .toReversed()
          .map(toUndoing);
      }
      const begun = await readBegun(database);
      if (begun !== undefined)
        throw new MigrationError(
          `${begun.id} is applied in part: run migrate, which goes on with it, and then this again`,
        );
      const steps: MigrationStep[] = [];
      for (let round = 0; round < known.length && steps.length < step; round += 1) {
        const { done } = await history();
        const last = done.at(-1);
        if (last === undefined) break;
        const moved = await applyInTurn(database, [
          moveHead(last.id, done.at(-2)?.id ?? ""),
          ...splitStatements(last.down).map((sql) => ({ sql })),
          { sql: "delete from schema_migrations where id = $id", params: { id: last.id }, guard: true },
        ]);
        if (!moved)
          throw new MigrationError("another runner changed the schema meanwhile: look at its status, try again");
        steps.push(toUndoing(last));
        onStep?.(toUndoing(last), steps.length, Math.min(step, steps.length - 1 + done.length));
      }
      return steps;
    },
  };
}

async function readStatus(database: Readable, known: readonly KnownMigration[]): Promise<MigrationStatus[]> {
  const applied = (await hasTable(database, "schema_migrations")) ? await database.all(findApplied) : [];
  const rows = new Map(applied.map((row) => [row.id, row]));
  const own = known.map(({ id, kind, checksum }): MigrationStatus => {
    const row = rows.get(id);
    rows.delete(id);
    if (row === undefined) return { id, kind, state: "pending", appliedAt: null };
    return { id, kind, state: row.checksum === checksum ? "applied" : "changed", appliedAt: row.appliedAt };
  });
  const unknown = [...rows.values()].map(({ id, kind, appliedAt }): MigrationStatus => ({
    id,
    kind,
    state: "unknown",
    appliedAt,
  }));
  return [...own, ...unknown].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Returns the migrations that a backup still needs to run on this release. Rejects with MigrationError when the file is no database of this
 * service, or was made by a newer release: this release would leave the tables that it does not know unattended.
 */
export async function pendingInBackup(backup: Readable, migrations: readonly Migration[]): Promise<string[]> {
  const states = await readStatus(backup, readMigrations(migrations, "sqlite"));
  refuseChanged(states);
  const unknown = states.filter(({ state }) => state === "unknown").map(({ id }) => id);
  if (unknown.length > 0) {
    throw new MigrationError(
      `the backup was made by a newer release: this one does not know its migration ${unknown.join(", ")}. ` +
        "Restore it with that release or a later one",
    );
  }
  if (states.every(({ state }) => state === "pending")) {
    throw new MigrationError("the file is no backup of this service: no migration was ever applied to it");
  }
  return states.filter(({ state }) => state === "pending").map(({ id }) => id);
}

const toStep = ({ id, kind, up }: KnownMigration): MigrationStep => ({ id, kind, sql: up });

const toUndoing = ({ id, kind, down }: KnownMigration): MigrationStep => ({ id, kind, sql: down });

const newer = (id: string): MigrationError =>
  new MigrationError(
    `the database has the migration ${id}, which this release does not know: a newer release applied it. ` +
      "Run that release or a later one, or roll the migration back with it first",
  );

function refuseChanged(states: readonly MigrationStatus[]): void {
  const changed = states.filter(({ state }) => state === "changed").map(({ id }) => id);
  if (changed.length === 0) return;
  throw new MigrationError(
    `${changed.join(", ")} differs from what was applied to this database: applied migrations are never edited. ` +
      "Restore the file and add a new migration",
  );
}

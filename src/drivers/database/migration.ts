import { contentHash } from "../../core/crypto.ts";
import type { Dialect } from "./index.ts";

interface Scripts {
  readonly up: string;
  readonly down: string;
}

/** One step of the schema. `id` is its file's name: four digits, then words. */
export interface Migration extends Scripts {
  readonly id: string;
  /** Replaces both scripts on PostgreSQL, where one text can't serve both databases. */
  readonly postgres?: Scripts;
}

/** Whether the previous release still runs on the migrated schema: `additive` where it does. */
export type MigrationKind = "additive" | "breaking";

/** `changed`: the text differs from what was applied. `unknown`: applied by a newer release than this one. */
export type MigrationState = "applied" | "pending" | "changed" | "unknown";

export interface MigrationStatus {
  readonly id: string;
  readonly kind: MigrationKind;
  readonly state: MigrationState;
  readonly appliedAt: number | null;
}

export interface MigrationStep {
  readonly id: string;
  readonly kind: MigrationKind;
  /** The script that was run, or with `dryRun` would be. */
  readonly sql: string;
}

/** The database and this binary disagree about the schema; the message says what to do. */
export class MigrationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MigrationError";
  }
}

/** A migration in the SQL of one database. */
export interface KnownMigration extends Scripts {
  readonly id: string;
  readonly kind: MigrationKind;
  readonly checksum: string;
}

/** Throws when the list of migrations itself is wrong: a mistake of the build and not of the database. */
export function readMigrations(migrations: readonly Migration[], dialect: Dialect): readonly KnownMigration[] {
  let previous = "";
  return migrations.map(({ id, postgres, ...scripts }) => {
    const { up, down } = dialect === "postgres" && postgres !== undefined ? postgres : scripts;
    if (!/^\d{4}_[a-z0-9_]+$/.test(id))
      throw new MigrationError(`"${id}" is not a migration's name: 0001_what_it_does`);
    if (id.slice(0, 4) <= previous.slice(0, 4)) throw new MigrationError(`${id} must come before ${previous}`);
    previous = id;
    const kind = kindOf(up);
    if (kind === undefined) throw new MigrationError(`the first line of ${id} must be "-- additive" or "-- breaking"`);
    return { id, up, down, kind, checksum: contentHash(up) };
  });
}

function kindOf(up: string): MigrationKind | undefined {
  const [, kind] = /^-- (additive|breaking)\s*$/m.exec(up.slice(0, up.indexOf("\n") + 1)) ?? [];
  return kind === "additive" || kind === "breaking" ? kind : undefined;
}

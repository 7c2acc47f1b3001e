import type { Database, DatabaseMetrics, DriverLog } from "./index.ts";

export interface OpenDatabaseOptions {
  /** As probes and messages call it. Default "default". */
  readonly name?: string;
  /** Make an absent database; for the commands that set one up. Default true. */
  readonly create?: boolean;
  /** For commands that change or copy whole tables: a statement of a server may take as long as it needs. Default false. */
  readonly patient?: boolean;
  readonly log?: DriverLog | undefined;
  readonly metrics?: DatabaseMetrics | undefined;
}

/** What is known of a configured database without opening it. */
export interface DatabaseDescription {
  readonly driver: string;
  /** Where it is, for messages: the path of its file, or the address of its server without user and password. */
  readonly location: string;
  /**
   * A folder where a backup finds room until it is stored elsewhere. It exists only while a backup is made. Absent where the server
   * has a tool of its own for backups.
   */
  readonly workFolder?: string;
  /** How much room it takes, and how much is free there. Absent where that is the server's business. */
  measure?(): Promise<{ readonly fileBytes: number; readonly logBytes: number; readonly freeBytes: number }>;
  /** False where only `create` could open it. */
  exists(): Promise<boolean>;
}

/** The answer to a command for backups, where the server of the database has tools of its own for that. */
export const toolsOfTheServer =
  "this is for a file of SQLite: back up and restore a PostgreSQL database with pg_dump and pg_restore";

/** What a backup is asked before it takes the database's place. */
export type BackupReader = Pick<Database, "all" | "hasTable">;

export interface TableRows {
  readonly table: string;
  readonly rows: number;
}

export interface VerifyOptions {
  readonly input: string;
  /** What messages call it. */
  readonly name: string;
  /** Rejects when the backup is none that may be restored. */
  readonly check: (backup: BackupReader) => Promise<void>;
}

export interface RestoreOptions {
  readonly input: string;
  /** Replaces a database that is there, unless a process has it open. Otherwise one that is there is an error. */
  readonly replace: boolean;
  /** Rejects when the backup is none that may be restored. */
  readonly check: (backup: BackupReader) => Promise<void>;
  /** SHA-256 of the whole file in hexadecimal, where it is known: bytes of another file are refused while they are copied. */
  readonly sha256?: string | undefined;
  /** Until the backup has its name an abort leaves everything as it was. */
  readonly signal?: AbortSignal;
}

/** The database that the settings name, through the driver that they name. */
export interface DatabaseDriver {
  describe(): DatabaseDescription;
  open(options: OpenDatabaseOptions): Database;
  restore(options: RestoreOptions): Promise<void>;
  /** Reads a whole backup without putting it anywhere, and counts its rows. */
  verify(options: VerifyOptions): Promise<readonly TableRows[]>;
  /** Shows a file that nobody writes to `look`, without reading all of it. */
  examine<T>(path: string, look: (backup: BackupReader) => Promise<T>): Promise<T>;
}

import type { CheckOptions } from "./capabilities.ts";
import type { Readable } from "./catalogue.ts";
import type { DatabaseMetrics, DriverLog, OpenedDatabase } from "./index.ts";

export interface OpenDatabaseOptions {
  /** The database's name in probes and messages. Default "default". */
  readonly name?: string;
  /** Makes an absent file (0600) and its folder (0700); otherwise an absent file is an error. Default true. */
  readonly create?: boolean;
  /**
   * For commands that change or copy whole tables: lets a statement on a server take as long as it needs, waits longer for others, and takes
   * more memory for a file. Default false.
   */
  readonly patient?: boolean;
  readonly log?: DriverLog | undefined;
  readonly metrics?: DatabaseMetrics | undefined;
}

/** A configured database, as far as it is known without opening it. */
export interface DatabaseDescription {
  readonly driver: string;
  /** The place of the database, for messages: the path of its file, or the address of its server without user and password. */
  readonly location: string;
  /** Returns false where only a call of `open` with `create` can open the database. */
  exists(): Promise<boolean>;
}

export interface TableRows {
  readonly table: string;
  readonly rows: number;
}

export interface VerifyOptions extends CheckOptions {
  readonly input: string;
  /** The name of the backup in messages. */
  readonly name: string;
  /** Rejects when the backup may not be restored. */
  readonly check: (backup: Readable) => Promise<void>;
}

export interface RestoreOptions extends Omit<VerifyOptions, "name"> {
  /** Replaces an existing database, unless a process has it open. Without it an existing database is an error. */
  readonly replace: boolean;
  /** SHA-256 of the whole file in hexadecimal, where it is known: bytes of another file are refused while they are copied. */
  readonly sha256?: string | undefined;
  /** An abort before the backup has its name leaves everything as it was. */
  readonly signal?: AbortSignal | undefined;
}

/** Takes backups, which are files that nobody writes to. */
export interface RestoreCapability {
  /** A folder for a backup until it is stored elsewhere. The folder exists only while a backup is made. */
  readonly workFolder: string;
  /** Rejects, in words, where the disk of the database, and of the work folder, has less room than that. */
  requireRoom(bytes: number): Promise<void>;
  /** Puts a backup into the place of the configured database. Rejects, and changes nothing, where that can't be done safely. */
  restore(options: RestoreOptions): Promise<void>;
  /** Reads a whole backup without putting it anywhere, and counts its rows. */
  verify(options: VerifyOptions): Promise<readonly TableRows[]>;
  /** Shows a backup to the function `look`, without reading all of it. */
  examine<T>(path: string, look: (backup: Readable) => Promise<T>): Promise<T>;
}

/** The database that the settings name, through their driver. Absent is what its server has tools of its own for. */
export interface DatabaseDriver {
  describe(): DatabaseDescription;
  open(options: OpenDatabaseOptions): OpenedDatabase;
  readonly restoring?: RestoreCapability;
  /** Returns how much room the database takes, and how much is free on its disk. */
  measure?(): Promise<{ readonly fileBytes: number; readonly logBytes: number; readonly freeBytes: number }>;
}

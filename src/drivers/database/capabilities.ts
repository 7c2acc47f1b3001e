export interface HealthCapability {
  readonly driver: string;
  /** The database's name in probes. */
  readonly name: string;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Rejects when the database does not answer, or when no write could begin within a second. Changes nothing. */
  checkWritable(): Promise<void>;
}

export interface BackupCapability {
  /**
   * Writes a file with all that was committed before the call, checked and on disk, while others go on writing. The file is there whole or
   * not at all.
   */
  backUp(path: string, options?: BackupOptions): Promise<void>;
}

export interface ChangeCapability {
  /** Begins to follow commits; undefined while another process follows them. */
  follow(): Following | undefined;
}

export interface NoticeCapability {
  /**
   * Calls `onNotice` with every text that a commit of any process sends on the channel, and with undefined after every connect, reconnects
   * included: some texts may have been missed. A lost connection is tried again without end.
   */
  listen(channel: string, onNotice: (text: string | undefined) => void): Listening;
}

/** An index that is to be built. */
export interface WantedIndex {
  readonly name: string;
  readonly table: string;
  /** The statement that makes it. */
  readonly statement: string;
}

export interface IndexCapability {
  /**
   * Builds an index while others write to its table. One that is there is left as it is, and what an interrupted call has left of it is taken
   * away first. Of several processes one builds, and the others wait for it.
   */
  build(index: WantedIndex): Promise<void>;
}

/** A table in parts by a column of numbers. The first has no beginning and the last no end: there is a part for every row. */
export interface PartedTable {
  readonly table: string;
  readonly column: string;
  /** Returns a statement for each new part, by its name. */
  readonly finish: (part: string) => string;
  /** Returns statements for a table beside the parts, by its name, that refuse what the parts refuse. */
  readonly guard: (table: string) => string;
}

export interface TablePart {
  readonly name: string;
  /** The first number in it. */
  readonly from: number;
  /** The first number that is not in it. */
  readonly until: number;
  readonly bytes: number;
  /** About how many rows it has. */
  readonly rows: number;
}

export interface PartitionCapability {
  /** Returns the parts of a table, oldest first; none where it is in one piece. */
  list(table: string): Promise<readonly TablePart[]>;
  /** Makes a part end at a number; what is behind it becomes a part of that name. False where one ends there already, or the table has none. */
  divide(parted: PartedTable, at: number, name: string): Promise<boolean>;
  /** Drops the parts that end before a number, or at it, with all of their rows, and returns them. */
  drop(parted: PartedTable, until: number): Promise<readonly TablePart[]>;
}

export interface Listening {
  stop(): Promise<void>;
}

/** A second file that describes the first. */
export interface FileBeside {
  /** The ending that follows the name of the first file. */
  readonly ending: string;
  /** Makes the content, once the copy is checked and read. Where this throws, nothing is written. */
  readonly content: () => string;
}

export interface CheckOptions {
  /** How many threads check at once. Default 1, so that a process which serves has room for others. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with how many rows are checked, of about how many. */
  readonly onChecked?: ((rows: number, total: number) => void) | undefined;
}

export interface BackupOptions extends CheckOptions {
  /** Replaces a file of that name; otherwise an existing file is an error. Default false. */
  readonly replace?: boolean;
  /**
   * A second file that gets its name right after the backup: a process that is killed leaves a backup without it, and never with another
   * backup's.
   */
  readonly beside?: FileBeside;
  /** Reads the finished copy while it is checked. Where either rejects, the other is stopped and nothing is written. */
  readonly read?: ((copy: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** Called now and then with how many bytes are written, of about how many. */
  readonly onProgress?: ((written: number, total: number) => void) | undefined;
}

/** Pages of a database file that commits have changed. */
export interface PageChanges {
  readonly pageSize: number;
  /** How many pages the database has after the change. */
  readonly pageCount: number;
  /** Pages by their numbers, which begin at 1. */
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

/** Follows what all processes commit. One process does so at a time, with one call at a time. */
export interface Following {
  /** Returns how many pages, at most, were changed since the last `collect`. Costs next to nothing. */
  waiting(): number;
  /**
   * Returns what was changed since the last call, up to a state that holds everything committed before this call. Undefined where the
   * change is not known, as at the first call, or is too large: a copy then says what the database holds, and the next call goes on from
   * there.
   */
  collect(): Promise<PageChanges | undefined>;
  /** Writes the database as the last `collect` found it into a new file, page by page, and checks it. */
  copy(path: string, signal: AbortSignal): Promise<Pick<PageChanges, "pageSize" | "pageCount">>;
  /** Lets other processes follow. Later commits are not known here. */
  close(): void;
}

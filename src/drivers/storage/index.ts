import type { Millis } from "../../core/clock.ts";

export interface StoredFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: Millis;
}

export interface ReadFile extends StoredFile {
  /** Holds a descriptor or a connection: read it to its end, or cancel it. */
  readonly content: ReadableStream<Uint8Array>;
}

export interface ListOptions {
  /** Names that begin so. Default all. */
  readonly prefix?: string;
  /** Names after this one: `next` of the page before. */
  readonly after?: string;
  /** Default and most: 1000. */
  readonly limit?: number;
}

export interface FilePage {
  /** In the order of their names, by character code. */
  readonly files: readonly StoredFile[];
  /** `after` of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/**
 * A disk: files by name. A name is segments of letters, digits, `.`, `_` and `-` with slashes between (`checkName`); none
 * begins with a dot, so that no name leads out of the disk. A name that is none rejects with TypeError.
 */
export interface Storage {
  readonly driver: string;
  readonly name: string;
  /** Whole and durable once it resolves; until then, and when it rejects, readers see what was there before. */
  put(
    name: string,
    content: Uint8Array | ReadableStream<Uint8Array>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<StoredFile>;
  get(name: string): Promise<ReadFile | undefined>;
  stat(name: string): Promise<StoredFile | undefined>;
  list(options?: ListOptions): Promise<FilePage>;
  /** A name that is not there is no error. */
  delete(name: string): Promise<void>;
  /** Rejects when the disk can't be read or written. Writes no file. */
  ping(): Promise<void>;
  /** Resolves when what is being put has ended; later calls reject. */
  close(): Promise<void>;
}

/** The disk can't do it now (full, read-only, unreachable); answered with 503. */
export class StorageUnavailable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "StorageUnavailable";
  }
}

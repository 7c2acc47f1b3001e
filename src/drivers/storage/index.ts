import type { Millis } from "../../core/clock.ts";
import type { Content, PutOptions } from "./content.ts";

export interface StoredFile {
  readonly name: string;
  /** The size in bytes. */
  readonly size: number;
  readonly modifiedAt: Millis;
}

export interface ReadFile extends StoredFile {
  /**
   * A stream that holds a descriptor or a connection: read it to its end, or cancel it. A disk that knows the file's checksum ends the
   * stream with an error where the bytes that came have another one.
   */
  readonly content: ReadableStream<Uint8Array>;
}

export interface ListOptions {
  /** Only names that begin with this are listed. Default: all. */
  readonly prefix?: string;
  /** Only names after this one are listed: `next` of the page before. */
  readonly after?: string;
  /** The most files of a page: 1000 at most, which is also the default. */
  readonly limit?: number;
}

export interface FilePage {
  /** Files in the order of their names, by character code. */
  readonly files: readonly StoredFile[];
  /** The value of `after` for the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/**
 * A disk: files by name. A name is segments of letters, digits, `.`, `_` and `-` with slashes between (see `checkName`). No
 * segment begins with a dot, so that no name leads out of the disk. Any other name rejects with TypeError.
 */
export interface Storage {
  readonly driver: string;
  readonly name: string;
  /** Puts a file. Once this resolves the file is whole and durable. Until then, and when it rejects, readers see what was there before. */
  put(name: string, content: Content, options?: PutOptions): Promise<StoredFile>;
  get(name: string): Promise<ReadFile | undefined>;
  stat(name: string): Promise<StoredFile | undefined>;
  list(options?: ListOptions): Promise<FilePage>;
  /** Deletes a file. Resolves also when none has that name. */
  delete(name: string): Promise<void>;
  /** Rejects when the disk can't be read or written. Writes no file. */
  ping(): Promise<void>;
  /** Resolves when every `put` under way has ended; later calls reject. */
  close(): Promise<void>;
}

/** Thrown when the disk can't serve now (full, read-only, unreachable); answered with 503. */
export class StorageUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StorageUnavailable";
  }
}

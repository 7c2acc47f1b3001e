import { SQLiteError } from "bun:sqlite";
import { DatabaseUnavailable } from "../index.ts";

// Primary result codes; SQLite appends detail to them (SQLITE_IOERR_WRITE).
const words = [
  ["SQLITE_BUSY", "another process holds its lock"],
  ["SQLITE_LOCKED", "another connection holds its lock"],
  ["SQLITE_FULL", "the disk is full"],
  ["SQLITE_READONLY", "the file or its folder is read-only"],
  ["SQLITE_IOERR", "the disk reports an input/output error"],
  ["SQLITE_CANTOPEN", "the file can't be opened"],
  ["SQLITE_NOTADB", "the file is not a SQLite database"],
  ["SQLITE_CORRUPT", "the file is damaged"],
  ["SQLITE_PROTOCOL", "its locks can't be taken"],
  ["SQLITE_NOMEM", "there is no memory left"],
] as const;

/** Turns an error that an operator can do something about into DatabaseUnavailable in plain words. Any other error stays as it is. */
export function translate(name: string, error: unknown): unknown {
  const code = sqliteCode(error);
  const known = words.find(([prefix]) => code === prefix || code.startsWith(`${prefix}_`));
  return known === undefined ? error : new DatabaseUnavailable(`database "${name}": ${known[1]}`, error);
}

/** Returns whether the error says that the file holds no database, or a damaged one. */
export const isDamaged = (error: unknown): boolean =>
  /^SQLITE_(?:NOTADB|CORRUPT)/.test(sqliteCode(error instanceof DatabaseUnavailable ? error.cause : error));

export const isBusy = (error: unknown): boolean => sqliteCode(error).startsWith("SQLITE_BUSY");

const sqliteCode = (error: unknown): string => (error instanceof SQLiteError ? (error.code ?? "") : "");

import { Database as Connection } from "bun:sqlite";
import { closeSync, existsSync, openSync } from "node:fs";
import { isBusy } from "../errors.ts";

/**
 * Takes the right to follow the database, which one process of the host has at a time. The right is the lock of a file of its own: the
 * system takes it back when the process ends, however it ends. Undefined while another process has it.
 */
export function takeTurn(path: string): { end(): void } | undefined {
  const file = `${path}.following`;
  // The file is only made while nobody can hold its lock: closing a file gives back the locks that this process has on it.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  const connection = new Connection(file, { strict: true, readwrite: true, create: false });
  try {
    connection.run("pragma busy_timeout = 0");
    connection.run("begin exclusive");
    return { end: () => connection.close() };
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

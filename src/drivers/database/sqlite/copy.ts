import { Database as Connection } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { translate } from "./errors.ts";
import { checkIntegrity, openImmutable } from "./files.ts";

const lockWaitMs = 5_000;

/**
 * Writes all that is committed into an absent file, and checks what came out. Others write meanwhile: the copy is one
 * read transaction, so it has what was committed before it began and nothing after. Runs until it is done: see
 * sqlite.copy.worker.ts.
 */
export function copyDatabase(source: string, target: string): void {
  closeSync(openSync(target, "wx", 0o600));
  try {
    using connection = new Connection(source, { strict: true, readwrite: true, create: false });
    connection.run(`pragma busy_timeout = ${lockWaitMs}`);
    connection.run("vacuum into ?", [target]);
    using copy = openImmutable(target);
    checkIntegrity(copy, target);
  } catch (error) {
    throw translate(`${source} copied to ${target}`, error);
  }
}

import { Database as Connection } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { translate } from "../errors.ts";
import { checkIntegrity, openImmutable } from "../files.ts";

const lockWaitMs = 5_000;

/**
 * Writes all that is committed into a new file, and checks that file. Others may write meanwhile: the copy is one read transaction, so it
 * has what was committed before it began and nothing after. The copy holds its thread until it is done, which is why copy.worker.ts gives
 * it one of its own.
 */
export function copyDatabase(source: string, target: string): void {
  closeSync(openSync(target, "wx", 0o600));
  try {
    using connection = new Connection(source, { strict: true, readwrite: true, create: false });
    connection.run(`pragma busy_timeout = ${lockWaitMs}`);
    connection.run("vacuum into ?", [target]);
    checkFile(target);
  } catch (error) {
    throw translate(`${source} copied to ${target}`, error);
  }
}

export function checkFile(path: string): void {
  try {
    using connection = openImmutable(path);
    checkIntegrity(connection, path);
  } catch (error) {
    throw translate(path, error);
  }
}

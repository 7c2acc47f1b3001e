import { Database as Connection } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import type { CopyOrder } from "./backup.ts";
import { translate } from "../errors.ts";
import { checkIntegrity, openImmutable } from "../files.ts";

// Copies run on a thread of their own: a large database takes seconds, in which the process must go on serving.
declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<CopyOrder>) => {
  try {
    if (data.source === undefined) checkFile(data.target);
    else copyDatabase(data.source, data.target);
    self.postMessage({ failure: undefined });
  } catch (error) {
    self.postMessage({ failure: error instanceof Error ? error.message : String(error) });
  }
});

const lockWaitMs = 5_000;

/**
 * Writes all that is committed into a new file, and checks that file. Others may write meanwhile: the copy is one read transaction, so it
 * has what was committed before it began and nothing after.
 */
function copyDatabase(source: string, target: string): void {
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

function checkFile(path: string): void {
  try {
    using connection = openImmutable(path);
    checkIntegrity(connection, path);
  } catch (error) {
    throw translate(path, error);
  }
}

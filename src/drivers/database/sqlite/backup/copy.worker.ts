import { Database as Connection } from "bun:sqlite";
import { closeSync, openSync } from "node:fs";
import { translate } from "../errors.ts";
import { checkTable, checkWhole, mostMapped, openImmutable } from "../files.ts";
import type { Order, Told } from "./thread.ts";

// Copies and checks run on threads of their own: a large database takes seconds, in which the process must go on serving.
declare const self: Worker;

const tell = (told: Told): void => self.postMessage(told);

self.addEventListener("message", ({ data: order }: MessageEvent<Order>) => {
  try {
    if (order.kind === "copy") copyDatabase(order.source, order.target);
    else check(order);
    tell({ failure: undefined });
  } catch (error) {
    tell({ failure: error instanceof Error ? error.message : String(error) });
  }
});

const lockWaitMs = 5_000;

/**
 * Pages are written once and read no more, so more of them in memory cost more than they save. The new file is not synced here: that is
 * waited for while the copy is checked.
 */
const whileCopying = [`mmap_size = ${mostMapped}`, "cache_size = -500", "synchronous = off"];

/**
 * Writes all that is committed into a new file. Others may write meanwhile: the copy is one read transaction, so it has what was committed
 * before it began and nothing after.
 */
function copyDatabase(source: string, target: string): void {
  closeSync(openSync(target, "wx", 0o600));
  try {
    using connection = new Connection(source, { strict: true, readwrite: true, create: false });
    connection.run(`pragma busy_timeout = ${lockWaitMs}`);
    for (const pragma of whileCopying) connection.run(`pragma ${pragma}`);
    try {
      connection.run("vacuum into ?", [target]);
    } finally {
      // Where everybody else is gone by now, closing moves the log into the database, and that has to be synced.
      connection.run("pragma synchronous = full");
    }
  } catch (error) {
    throw translate(`${source} copied to ${target}`, error);
  }
}

function check({ path, name, tables, whole }: Extract<Order, { kind: "check" }>): void {
  try {
    using connection = openImmutable(path);
    if (whole) checkWhole(connection, name);
    for (const table of tables) {
      checkTable(connection, table, name);
      tell({ checked: table });
    }
  } catch (error) {
    throw translate(name, error);
  }
}

import { Database as Connection } from "bun:sqlite";
import { closeSync, existsSync, openSync } from "node:fs";
import type { Following, PageChanges } from "../../index.ts";
import { isBusy, translate } from "../errors.ts";
import { copyPages } from "./copy.pages.ts";
import { openHolds } from "./holds.ts";
import type { Frame, IndexHead } from "./log.format.ts";
import { createLogReader, type Position } from "./log.reader.ts";

/** The number of frames from which on the log is emptied, so that it can begin anew: 4 MB of pages. */
const longLog = 1_000;
const writerTries = 25;
/** The most bytes of changed pages that are kept in memory between two calls. Beyond that only a copy of the database says what it holds. */
const mostBytes = 64 * 1024 * 1024;

const startOf = ({ salt, frames, checksum }: IndexHead): Position => ({ salt, frame: frames, checksum });

/** Holds the newest state and reads the log from there on. Gives the turn back where that fails. */
function open(path: string, endTurn: () => void) {
  let holds: ReturnType<typeof openHolds> | undefined;
  try {
    holds = openHolds(path);
    holds.take();
    holds.pass();
    const reader = createLogReader(path);
    reader.committed();
    return { holds, reader };
  } catch (error) {
    holds?.close();
    endTurn();
    throw error;
  }
}

/** Collects the pages that commits of all processes change. Undefined while another process collects them. */
export function createFollowing(path: string, name: string): Following | undefined {
  const turn = takeTurn(path);
  if (turn === undefined) return undefined;
  const { holds, reader } = open(path, turn.end);
  let seen = reader.committed();
  let position = startOf(seen);
  /** Whether something unknown may have been committed since the last answer. At first everything is unknown. */
  let lost = true;

  /**
   * Returns where the unread frames begin; undefined where some may be gone. A log with another salt was begun anew, which the holds allow
   * only when all of the old log was read. The difference of the salts says nothing: a new process may draw one at random.
   */
  function next(head: IndexHead): Position | undefined {
    if (head.salt !== position.salt) return { salt: head.salt, frame: 0, checksum: [0, 0] };
    return head.frames >= position.frame ? position : undefined;
  }

  /** Reads what was committed since the position, in steps. */
  function* read(into: Map<number, Uint8Array>): Generator<void, void> {
    const head = reader.committed();
    const from = next(head);
    const reached = from && (yield* keep(reader.frames(from, head), head, into));
    if (reached === undefined) lost = true;
    position = reached ?? startOf(head);
    seen = head;
  }

  function* keep(
    steps: Generator<readonly Frame[], Position | undefined>,
    { pageSize }: IndexHead,
    into: Map<number, Uint8Array>,
  ): Generator<void, Position | undefined> {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      for (const { page, content } of value) into.set(page, content.slice());
      if (into.size * pageSize > mostBytes) return undefined;
      yield;
    }
  }

  /** Lets the log begin anew. Most of it goes into the file before writers wait; only what came since does so while they wait. */
  function emptyLog(into: Map<number, Uint8Array>): void {
    holds.empty();
    holds.withoutWriters(() => {
      holds.take();
      for (const _ of read(into));
      holds.pass();
      holds.empty();
      holds.take();
      holds.pass();
    });
  }

  async function emptyLongLog(into: Map<number, Uint8Array>): Promise<void> {
    for (let tries = 0; tries < writerTries; tries += 1) {
      try {
        return emptyLog(into);
      } catch (error) {
        holds.giveBack();
        if (!isBusy(error)) throw error;
      }
      await Bun.sleep(1);
    }
  }

  async function collect(): Promise<PageChanges | undefined> {
    const pages = new Map<number, Uint8Array>();
    holds.take();
    try {
      // The process serves requests between two steps.
      for (const _ of read(pages)) await new Promise<void>((resolve) => setImmediate(resolve));
      holds.pass();
      if (position.frame >= longLog) await emptyLongLog(pages);
    } catch (error) {
      lost = true;
      holds.giveBack();
      throw error;
    }
    const isWhole = !lost;
    lost = false;
    return isWhole ? { pageSize: seen.pageSize, pageCount: seen.pageCount, pages } : undefined;
  }

  return {
    waiting() {
      const { salt, frames } = reader.committed();
      return salt === position.salt ? frames - position.frame : frames;
    },
    async collect() {
      try {
        return await collect();
      } catch (error) {
        throw translate(name, error);
      }
    },
    async copy(target, signal) {
      await copyPages({ reader, position, state: seen, target, signal });
      return { pageSize: seen.pageSize, pageCount: seen.pageCount };
    },
    close() {
      holds.close();
      reader.close();
      turn.end();
    },
  };
}

/**
 * Takes the right to follow the database, which one process of the host has at a time. The right is the lock of a file of its own: the
 * system takes it back when the process ends, however it ends. Undefined while another process has it.
 */
function takeTurn(path: string): { end(): void } | undefined {
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

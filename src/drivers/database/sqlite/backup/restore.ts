import { Database as Connection } from "bun:sqlite";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorCode } from "../../../../core/errors.ts";
import type { RestoreOptions } from "../../driver.ts";
import { DatabaseUnavailable } from "../../index.ts";
import { isBusy, translate } from "../errors.ts";
import { companions, fileAt, publish } from "../files.ts";
import { verify } from "./verify.ts";

const lockWaitMs = 1_000;

/** Puts a backup into the database's place in one step, or leaves everything as it was. */
export async function restore(path: string, options: RestoreOptions): Promise<void> {
  const { input, replace, check, sha256, signal, ...checking } = options;
  await checkInput(input, path);
  await requireRoom(path, Bun.file(input).size);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const found = await fileAt(path);
  if (found === undefined) await clearCompanions(path, replace);
  else if (!replace) throw refusal(`${path} exists: --force replaces it`);
  // The lock is held until the backup has its name, so that nobody can begin to use the database that is about to go.
  const lock = found === undefined ? undefined : lockAlone(path);
  try {
    if ((await fileAt(path))?.ino !== found?.ino) throw refusal(`${path} was replaced just now: look at it again`);
    const aside = await copyAside(input, path, { sha256, signal });
    try {
      await verify({ input: aside, name: input, check, signal, ...checking });
      // A signal that arrived while the rows were counted is delivered first.
      await new Promise<void>((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      if (lock !== undefined) await clearCompanions(path, true);
      await publish(aside, path, lock !== undefined);
    } catch (error) {
      if (errorCode(error) === "EEXIST")
        throw refusal(`${path} was made by another process meanwhile: nothing was restored`);
      throw error;
    } finally {
      await rm(aside, { force: true });
    }
  } finally {
    lock?.close(true);
  }
}

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2).toLocaleString("en")} MiB`;

/** Rejects where the disk of the database has less room than that. The folder of the database need not be there yet. */
export async function requireRoom(path: string, bytes: number): Promise<void> {
  let folder = dirname(resolve(path));
  while (folder !== dirname(folder) && (await fileAt(folder)) === undefined) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw refusal(
    `the disk of ${folder} has not enough room: this takes ${mebibytes(bytes)} there, and ${mebibytes(free)} are free. ` +
      "Nothing was begun: make room, or give DB_DATABASE a path on another disk",
  );
}

const refusal = (message: string, cause?: unknown): DatabaseUnavailable => new DatabaseUnavailable(message, cause);

async function checkInput(input: string, path: string): Promise<void> {
  const found = await fileAt(input);
  if (found?.isFile() !== true) throw refusal(`${input} is no file`);
  const kept = await fileAt(path);
  if (kept?.ino === found.ino && kept.dev === found.dev) throw refusal(`${input} is the database itself`);
  for (const end of ["-wal", "-journal"]) {
    const log = await fileAt(`${input}${end}`);
    if (log === undefined || log.size === 0n) continue;
    throw refusal(`${input}${end} says that ${input} is a database in use, not a backup: make one with backup:create`);
  }
}

/**
 * Removes the files beside a database; without `remove`, throws where there are any. SQLite would apply the write-ahead log of a database
 * that is gone to the one that takes its name.
 */
async function clearCompanions(path: string, remove: boolean): Promise<void> {
  for (const end of companions) {
    if (remove) await rm(`${path}${end}`, { force: true });
    else if ((await fileAt(`${path}${end}`)) !== undefined) {
      throw refusal(`${path}${end} is left from a database that is gone: --force removes it`);
    }
  }
}

/**
 * Takes the exclusive lock: every process that has the database open, idle or not, holds a share of it and so prevents this. Moves the
 * content of the write-ahead log into the file first, so that the file by itself is complete.
 */
function lockAlone(path: string): Connection {
  const connection = new Connection(path, { strict: true, readwrite: true, create: false });
  try {
    connection.run(`pragma busy_timeout = ${lockWaitMs}`);
    connection.run("pragma locking_mode = exclusive");
    connection.run("pragma journal_mode = delete");
    connection.run("begin exclusive");
    return connection;
  } catch (error) {
    connection.close(true);
    if (isBusy(error)) {
      throw refusal(`${path} is in use: stop every process that has it open (HTTP, worker, scheduler, admin)`, error);
    }
    throw refusal(
      `${path} can't be locked, so nobody knows whether it is in use: stop every process, move it away together with ` +
        `${companions.map((end) => `${path}${end}`).join(", ")}, and restore without --force`,
      translate(path, error),
    );
  }
}

/** Copies the backup beside its place, so that a rename can put it there. The fixed name keeps two restores apart. */
async function copyAside(
  input: string,
  path: string,
  { sha256, signal }: { readonly sha256: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  // The bytes that are hashed are the bytes that are written: a file that somebody changes meanwhile can't be checked as one and restored
  // as another.
  async function* hashed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      hasher.update(chunk);
      yield chunk;
    }
    if (sha256 !== undefined && hasher.digest("hex") !== sha256)
      throw refusal(`${input} was changed while it was read: nothing was restored`);
  }
  const aside = `${path}.restoring`;
  signal?.throwIfAborted();
  try {
    const { pipeline } = await import("node:stream/promises");
    await pipeline(createReadStream(input), hashed, createWriteStream(aside, { flags: "wx", mode: 0o600 }), {
      ...(signal && { signal }),
    });
    return aside;
  } catch (error) {
    if (errorCode(error) === "EEXIST") {
      throw refusal(`${aside} is there: another restore is under way, or one was killed and left it: remove it then`);
    }
    await rm(aside, { force: true });
    signal?.throwIfAborted();
    throw error;
  }
}

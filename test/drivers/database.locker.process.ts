import { dlopen, ptr } from "bun:ffi";
import { openSync, writeSync } from "node:fs";

// Acts as a process that recovers the log of a database, which SQLite gives nobody a way to ask for: voids the header of the index, and
// takes the locks that keep others out until it is made anew.
const [path = "", heldMs = "0"] = process.argv.slice(2);
const setLock = 6;
const writeLock = 1;
/** The bytes of the -shm file that are WAL_WRITE_LOCK, WAL_CKPT_LOCK and WAL_RECOVER_LOCK. */
const [first, count] = [120n, 3n];
const headerBytes = 96;

const { symbols } = dlopen("libc.so.6", { fcntl: { args: ["int", "int", "ptr"], returns: "int" } });
const lock = new DataView(new ArrayBuffer(32));
lock.setInt16(0, writeLock, true);
lock.setBigInt64(8, first, true);
lock.setBigInt64(16, count, true);
const index = openSync(`${path}-shm`, "r+");
if (symbols.fcntl(index, setLock, ptr(lock.buffer)) !== 0) throw new Error("not locked");
writeSync(index, new Uint8Array(headerBytes), 0, headerBytes, 0);
process.stdout.write("locked\n");
await Bun.sleep(Number(heldMs));

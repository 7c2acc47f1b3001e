import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { DatabaseDriver } from "../driver.ts";
import { requireRoom, restore } from "./backup/restore.ts";
import { createSqliteDatabase } from "./sqlite.ts";
import { examine, verify } from "./backup/verify.ts";

export const sqliteDriver = (path: string): DatabaseDriver => ({
  describe: () => ({ driver: "sqlite", location: resolve(path), exists: async () => existsSync(path) }),
  open: (options) => createSqliteDatabase({ path, ...options }),
  restoring: {
    // The work folder lies beside the file: the copy is as large as the database, and that disk is known to hold such a file.
    workFolder: `${resolve(path)}.backing-up`,
    requireRoom: (bytes) => requireRoom(path, bytes),
    restore: (options) => restore(path, options),
    verify,
    examine,
  },
  async measure() {
    const { bavail, bsize } = await statfs(dirname(resolve(path)));
    return { fileBytes: Bun.file(path).size, logBytes: Bun.file(`${path}-wal`).size, freeBytes: bavail * bsize };
  },
});

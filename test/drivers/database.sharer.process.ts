import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";

// One of several processes that write to the same file as fast as they can: `PATH NAME` counts each durable batch of its eight
// callers in the row of that name, until it is killed.
const [path = "", name = ""] = process.argv.slice(2);
const { database } = createSqliteDatabase({ path, name: "default", create: false, lockTimeoutMs: 60_000 });

async function write(): Promise<never> {
  for (;;) {
    await database.batch([
      { sql: "insert into facts (id, name) values ($id, $name)", params: { id: Bun.randomUUIDv7(), name } },
      { sql: "update counts set n = n + 1 where name = $name", params: { name }, guard: true },
    ]);
  }
}

await Promise.all(Array.from({ length: 8 }, write));

import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";

// The other process of the tests: `PATH` adds rows until it is killed, half of them not durable, and prints each
// acknowledged id; `PATH COUNT` adds one to the counter that often and ends.
const [path = "", count] = process.argv.slice(2);
const { database } = createSqliteDatabase({ path, name: "default", create: false, lockTimeoutMs: 20_000 });

if (count === undefined) {
  const write = async (durable: boolean): Promise<never> => {
    for (;;) {
      const id = Bun.randomUUIDv7();
      await database.batch(
        [
          { sql: "insert into facts (id) values ($id)", params: { id } },
          { sql: "update counters set n = n + 1", guard: true },
        ],
        { durable },
      );
      process.stdout.write(`${id}\n`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => write(index % 2 === 0)));
} else {
  process.stdout.write("ready\n");
  await Promise.all(Array.from({ length: Number(count) }, () => database.run("update counters set n = n + 1")));
  await database.close();
}

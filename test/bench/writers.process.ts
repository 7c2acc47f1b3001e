import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { closedLoop } from "./load.ts";

// One of the processes that share a file. Each of its callers makes one durable batch of two statements after the other.
const path = Bun.env["BENCH_DATABASE"] ?? "";
const { database, health } = createSqliteDatabase({ path, name: "default", create: false });
await health.ping();
await Bun.sleep(Number(Bun.env["BENCH_START"]) - Date.now());
const callers = Array.from({ length: Number(Bun.env["BENCH_CALLERS"]) }, (_, index) => index);
const load = await closedLoop(callers, Number(Bun.env["BENCH_SECONDS"]), async () => {
  await database.batch([
    { sql: "insert into facts (id) values ($id)", params: { id: Bun.randomUUIDv7() } },
    { sql: "update counters set n = n + 1", guard: true },
  ]);
});
await database.close();
console.log(JSON.stringify(load));

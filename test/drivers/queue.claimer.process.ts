// A second process for the database queue's tests claims jobs until nothing is left, and prints the ids that it got.
import { systemClock } from "../../src/core/clock.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { createDatabaseQueue } from "../../src/drivers/queue/table/database.ts";

const [, , where = ""] = process.argv;
const driver = where.startsWith("postgres:") ? "postgres" : "sqlite";
const { database } = openDatabase({ driver, path: where, url: where }, { create: false });
const queue = createDatabaseQueue({ app: "app", database, clock: systemClock, name: "default", maxAttempts: 3 });
const ids: string[] = [];
for (;;) {
  const jobs = await queue.claim(3, 60_000);
  if (jobs.length === 0) break;
  ids.push(...jobs.map(({ id }) => id));
}
await database.close();
console.log(JSON.stringify(ids));

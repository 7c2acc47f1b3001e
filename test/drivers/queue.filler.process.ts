// Another process enqueues a job, to test that workers hear of it.
import { systemClock } from "../../src/core/clock.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { createDatabaseQueue } from "../../src/drivers/queue/table/database.ts";
import { createUnitOfWork } from "../../src/drivers/queue/unit.of.work.ts";

const [, , url = "", name = ""] = process.argv;
const { database } = openDatabase({ driver: "postgres", path: "", url }, {});
const queue = createDatabaseQueue({ app: "app", database, clock: systemClock, name: "default", maxAttempts: 3 });
await createUnitOfWork(database, queue).commit({ jobs: [{ name: "mail:send", payload: { name } }] });
await database.close();

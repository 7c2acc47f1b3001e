import { openDatabase } from "../../src/drivers/database/open.ts";

// The other process of a test: takes what is left, and prints how often it got some.
const [url = ""] = process.argv.slice(2);
const { database } = openDatabase({ driver: "postgres", path: "", url }, {});
const take = { sql: "update counters set n = n - 1 where n > 0", guard: true };
const results = await Promise.all(Array.from({ length: 40 }, () => database.batch([take, { sql: "select 1 as one" }])));
process.stdout.write(String(results.filter(({ applied }) => applied).length));
await database.close();

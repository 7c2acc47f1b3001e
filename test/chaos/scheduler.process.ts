// A scheduler process for the tests. `PATH NAME BEGUN` runs one schedule, due each minute of a clock on which a minute takes a second, and
// records which ticks it ran. BEGUN, in epoch milliseconds, is when the clocks of all such processes were right.
import type { Clock } from "../../src/core/clock.ts";
import { minute, second } from "../../src/core/clock.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { createLog } from "../../src/observe/log.ts";
import { createScheduler } from "../../src/scheduler/index.ts";

const [path = "", name = "", begun = "0"] = process.argv.slice(2);
const start = Number(begun);
const clock: Clock = { now: () => Math.round(start + (Date.now() - start) * (minute / second)) };
const { database } = createSqliteDatabase({ path, name: "default", create: false, lockTimeoutMs: 20_000 });
const log = createLog({
  format: "json",
  level: "warn",
  clock,
  secrets: [],
  write: (line) => void process.stderr.write(`${line}\n`),
});

const run = async (): Promise<void> => {
  const id = Bun.randomUUIDv7();
  await database.run(
    `insert into ticks_run (id, tick, name, began_at)
     select $id, last_tick_at, $name, $now from schedule_runs where name = 'test:tick'`,
    { id, name, now: Date.now() },
  );
  await Bun.sleep(100);
  await database.run("update ticks_run set ended_at = $now where id = $id", { id, now: Date.now() });
};
const scheduler = createScheduler({
  database,
  schedules: [{ name: "test:tick", cron: "* * * * *", run }],
  clock,
  log,
  instance: Bun.randomUUIDv7(),
  lockMs: 2 * minute,
  pollMs: 20,
});
scheduler.start();
process.on("SIGTERM", () => {
  void scheduler.stop(5_000).then(() => database.close());
});

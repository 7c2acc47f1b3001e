import { SQL } from "bun";
import { loadavg } from "node:os";
import { migrations } from "../../migrations/index.ts";
import { createAuditRepository } from "../../src/audit/audit.repository.ts";
import { createMonths } from "../../src/audit/months.ts";
import { systemClock } from "../../src/core/clock.ts";
import { inSteps } from "../../src/core/pace/steps.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { createLog } from "../../src/observe/log.ts";
import { openPostgres } from "../drivers/database.postgres.ts";
import { startPostgres } from "../support/postgres.ts";

/**
 * What it takes to retire a month of so many rows of the audit log, of three that are there: `bun test/hosts/months.process.ts 2000000`. By a drop,
 * by deletions from monthly parts, and by deletions from one table, as it was before there were parts.
 */
const rows = Number(process.argv[2] ?? 300_000);
const ways = ["drop", "deletions from parts", "deletions from one table"] as const;
const month = (months: number): number => Date.UTC(2026, 5 + months, 1);
const spacing = Math.floor((29 * 86_400_000) / rows);
const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const log = createLog({ format: "json", level: "error", clock: systemClock });

const insert = (months: number): string =>
  `insert into audit_events (id, at, app, action, outcome, actor, actor_user_id, subject_user_id, session_id, address, user_agent, request_id, count)
   select gen_random_uuid(), ${month(months)} + i * ${spacing}::bigint, 'app', 'auth.logged-in', 'success', 'user', 'u' || i % 100000, 'u' || i % 100000,
     gen_random_uuid(), '203.0.113.' || i % 250, '${agent}', gen_random_uuid(), 1 from generate_series(1, ${rows}) i`;

await using stack = new AsyncDisposableStack();
const server = await startPostgres({
  fsync: true,
  settings: { shared_buffers: "512MB", max_wal_size: "8GB", checkpoint_timeout: "30min" },
});
stack.defer(() => server.stop());

for (const way of ways) {
  const { url } = await server.createDatabase();
  const { database, partitions } = openPostgres(url, { patient: true });
  const isParted = way !== "deletions from one table";
  const list = migrations.filter(({ id }) => isParted || id < "0046");
  await createMigrator({ database, migrations: list, clock: systemClock }).up();
  const sql = new SQL(url, { max: 1 });
  const months = createMonths(partitions, log);
  if (isParted) for (const each of [-2, -1, 0, 1]) await months.makeAhead(month(each));
  // The hours are not what is measured.
  await sql.unsafe("update audit_counting set counted_from = 253402300800000");
  for (const each of [0, 1, 2]) await sql.unsafe(insert(each));
  await sql.unsafe("vacuum analyze");
  await sql.unsafe("checkpoint");

  /** Resolves to how long the work took, in seconds, and how many megabytes of log it wrote. */
  async function measured(work: () => Promise<unknown>): Promise<string> {
    const [begin] = await sql.unsafe<{ at: string }[]>("select pg_current_wal_insert_lsn() as at");
    const since = performance.now();
    await work();
    const seconds = (performance.now() - since) / 1000;
    const [written] = await sql.unsafe<{ mb: string }[]>(
      `select round(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '${begin?.at}') / 1e6, 1) as mb`,
    );
    return `${seconds.toFixed(2)} s, ${written?.mb} MB of log`;
  }
  const sizeMb = async (): Promise<number> => {
    const [found] = await sql.unsafe<{ mb: number }[]>(
      "select pg_database_size(current_database())::float8 / 1e6 as mb",
    );
    return Math.round(found?.mb ?? 0);
  };
  const before = await sizeMb();
  const repository = createAuditRepository(database, { name: "app" });
  const retired = await measured(() =>
    way === "drop" ? months.drop(month(1)) : inSteps((limit) => repository.prune(month(1), limit)),
  );
  const vacuumed = await measured(async () => void (await sql.unsafe("vacuum audit_events")));
  const load = (loadavg()[0] ?? 0).toFixed(1);
  process.stdout.write(
    `${rows} rows by ${way}: ${retired}; vacuum ${vacuumed}; disk ${before} MB, then ${await sizeMb()} MB; load ${load}\n`,
  );
  await sql.close();
  await database.close();
}

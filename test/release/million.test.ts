import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { testEnvironment } from "../support/environment.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";
import { runNow, serveNow, takeEarlier, type Earlier, type Serving } from "./earlier.ts";
import { fillFile, fillServer } from "./million.ts";
import { startTraffic } from "./traffic.ts";

const setupLimitMs = 600_000;
const testLimitMs = 900_000;
const second = 1_000;
/** For so long a write waits before it is refused. */
const refusedAfterMs = 5 * second;
const busyShare = 1.5;
/**
 * How long a request may wait while migrations run: a second. Where others want the processor at the same time, everything takes as long as they
 * make it take; no request may be refused there either.
 */
const longestMs = (): number => ((loadavg()[0] ?? 0) / availableParallelism() > busyShare ? refusedAfterMs : second);
/** Requests a second, of which half write. */
const perSecond = 60;
const browsers = 12;

/** One address sends all requests, and no mail leaves. */
const calm = {
  AUTH_IP_RATE_LIMIT_ATTEMPTS: "1000000",
  AUTH_IP_LOGIN_FAILURES: "1000000",
  AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000000",
  AUTH_PASSWORD_HASH_QUEUE: "1000",
  LIGHTHOUSE_ENABLED: "false",
};

let earlier: Earlier;
let postgres: Postgres | undefined;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-million-"));
  earlier = await takeEarlier("0.2.0");
  if (postgresMissing === undefined)
    postgres = await startPostgres({ settings: { shared_buffers: "512MB", max_wal_size: "4GB" } });
}, setupLimitMs);
afterAll(async () => {
  await postgres?.stop();
  await earlier?.remove();
  await rm(folder, { recursive: true, force: true });
}, setupLimitMs);

/** Has the earlier release serve while this one migrates. Resolves to what the migration has printed. */
async function migrateUnderLoad(env: Readonly<Record<string, string>>): Promise<string> {
  const serving: Serving = await earlier.serve(folder, env);
  const traffic = startTraffic(serving.port, { perSecond, browsers });
  try {
    await traffic.begun();
    await Bun.sleep(2_000);
    const status = await runNow(["migrate:status"], folder, env);
    expect({ code: status.code, said: status.stdout }).toEqual({
      code: 0,
      said: expect.stringMatching(
        /these \d+ migrations take about \d+ seconds: they go through [\d,]+ rows of audit_events/,
      ),
    });
    const migrated = await runNow(["migrate"], folder, env);
    expect({ code: migrated.code, stderr: migrated.stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("rows of users"),
    });
    await Bun.sleep(1_000);
    const { failures, slowestMs, sent } = await traffic.stop();
    process.stdout.write(
      `      slowest of ${Object.values(sent).reduce((sum, count) => sum + count, 0)} requests: ${Math.round(slowestMs)} ms\n`,
    );
    expect(failures).toEqual({});
    expect(slowestMs).toBeLessThan(longestMs());
    return migrated.stderr;
  } finally {
    traffic.kill();
    await serving.stop();
  }
}

/** The release under test serves what the earlier one has kept, and what was written while the migrations ran. */
async function serveAfterwards(env: Readonly<Record<string, string>>): Promise<void> {
  const serving = await serveNow(folder, env);
  try {
    const traffic = startTraffic(serving.port, { perSecond, browsers });
    await traffic.begun();
    const { failures } = await traffic.stop();
    expect(failures).toEqual({});
  } finally {
    await serving.stop();
  }
}

const accountsCounted = `select
  (select count(*) from users) as accounts, (select sum(accounts) from account_counts where kind = 'new') as made,
  (select sum(accounts) from account_counts where kind = 'factors') as factors,
  (select count(*) from users where last_seen_at is not null) as accounts_seen,
  (select sum(accounts) from account_counts where kind = 'seen') as seen`;

type Counted = Readonly<Record<"accounts" | "made" | "factors" | "accounts_seen" | "seen", unknown>>;

function expectCounted(row: Counted | null | undefined): void {
  const [accounts, seen] = [Number(row?.accounts), Number(row?.accounts_seen)];
  expect({ made: Number(row?.made), factors: Number(row?.factors), seen: Number(row?.seen) }).toEqual({
    made: accounts,
    factors: accounts,
    seen,
  });
  expect(accounts).toBeGreaterThan(1_000_000);
}

describe("a database of 0.2.0 with a million accounts migrates while 0.2.0 serves: no request fails, none waits for a second", () => {
  test(
    "in a file of SQLite, which says what waits",
    async () => {
      const path = join(folder, "million.db");
      const env = { ...testEnvironment(folder), ...calm, DB_DATABASE: path };
      expect((await earlier.run(["migrate", "--create"], folder, env)).code).toBe(0);
      fillFile(path);

      expect(await migrateUnderLoad(env)).toContain("SQLite can't build an index in steps");
      await serveAfterwards(env);
      const migrated = new Database(path, { readonly: true });
      expectCounted(migrated.query<Counted, []>(accountsCounted).get());
      expect(migrated.query("select count(*) as n from schema_migrations").get()).toEqual({ n: migrations.length });
      migrated.close();
      await rm(path);
    },
    testLimitMs,
  );

  test.skipIf(postgresMissing !== undefined)(
    "on PostgreSQL, where indexes are built beside writes",
    async () => {
      const { url } = (await postgres?.createDatabase()) ?? { url: "" };
      const env = { ...testEnvironment(folder), ...calm, DB_DRIVER: "postgres", DB_URL: url };
      expect((await earlier.run(["migrate"], folder, env)).code).toBe(0);
      const sql = new SQL(url, { max: 1 });
      await fillServer(sql);

      expect(await migrateUnderLoad(env)).toContain("no write waits for longer than a moment");
      await serveAfterwards(env);
      const [row] = await sql.unsafe<Counted[]>(accountsCounted);
      expectCounted(row);
      expect(
        await sql.unsafe("select indexrelid::regclass::text as name from pg_index where not indisvalid"),
      ).toHaveLength(0);
      await sql.close();
    },
    testLimitMs,
  );
});

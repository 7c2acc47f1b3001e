import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { migrations } from "../../migrations/index.ts";
import { createCleanupRepository } from "../../src/auth/cleanup.repository.ts";
import { createSessionRepository } from "../../src/auth/session/session.repository.ts";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { eventually } from "../support/log.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";
import { openPostgres } from "./database.postgres.ts";

const people = 200;
const rounds = 5;

describe.skipIf(postgresMissing !== undefined)(`D-19 sessions on PostgreSQL (${postgresMissing ?? "real"})`, () => {
  let server: Postgres;
  let admin: SQL;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres({ settings: { autovacuum: "off" } });
    ({ url } = await server.createDatabase());
    const { database } = openPostgres(url);
    await createMigrator({ database, migrations, clock: systemClock }).up();
    await database.close();
    admin = new SQL(url, { max: 1 });
    await admin.unsafe(`insert into users (id, username, username_key, email, email_key, display_name, created_at, updated_at)
      select n, n, n, n, n, n, 1, 1 from generate_series(1, ${people}) n`);
    await admin.unsafe(`insert into auth_sessions (id, user_id, app, secret_hash, generation, remembered, user_agent, ip_address, created_at,
        last_seen_at, expires_at)
      select n, n, 'app', 'secret 1', 1, n % 2, 'a browser', '203.0.113.7', 1, 1, 1000000 from generate_series(1, ${people}) n`);
  }, 60_000);
  afterAll(async () => {
    await admin?.close();
    await server?.stop();
  });

  /** Resolves to how many rows of the table were changed, and how many of them kept their place in every index. */
  async function changes(table: string) {
    const [row] = await admin.unsafe<{ changed: string; hot: string }[]>(
      `select n_tup_upd as changed, n_tup_hot_upd as hot from pg_stat_user_tables where relname = '${table}'`,
    );
    return { changed: Number(row?.changed), hot: Number(row?.hot) };
  }

  test("a refresh and a visit write nothing into any index, but for the few whose page has no room yet", async () => {
    const { database } = openPostgres(url);
    const [sessions, users] = [createSessionRepository(database, "app"), createUserRepository(database)];
    for (let round = 1; round <= rounds; round += 1) {
      const now = round * 10;
      const from = { hash: `secret ${round}`, generation: round };
      const refreshed = Array.from({ length: people }, async (_, n) => {
        const id = String(n + 1);
        const rotated = await database.batch([sessions.rotate(id, from, `secret ${round + 1}`, now, 0)]);
        const visit = [users.seen(id, now + 1), sessions.touch(id, now + 1)];
        return rotated.applied && (await database.batch(visit, { durable: false })).applied;
      });
      expect(await Promise.all(refreshed)).not.toContain(false);
    }
    await database.close();
    // The server has the numbers of a connection a moment after that has ended.
    const kept = async (table: string, changed: number): Promise<number> => {
      await eventually(`the changes of ${table}`, async () => (await changes(table)).changed === changed);
      return (await changes(table)).hot / changed;
    };
    expect(await kept("auth_sessions", 2 * people * rounds)).toBeGreaterThan(0.9);
    expect(await kept("users", people * rounds)).toBeGreaterThan(0.8);
  }, 60_000);

  test("visits at the same moment share transactions, none of which waits for the disk", async () => {
    const { database } = openPostgres(url);
    const { sql, params = {} } = createSessionRepository(database, "app").touch("1", 500);
    const returning = `${sql} returning pg_current_xact_id()::text || current_setting('synchronous_commit') as made`;
    const visit = (n: number) =>
      database.run<{ made: string }>(returning, { ...params, id: String(n) }, { durable: false });
    const visits = await Promise.all(Array.from({ length: 64 }, (_, n) => visit(n + 1)));
    await database.close();
    const made = visits.map(({ rows }) => rows[0]?.made ?? "none");
    expect(made.filter((each) => !each.endsWith("off"))).toEqual([]);
    expect(new Set(made).size).toBeLessThan(32);
  });

  test("who has rested is found by an index all the same, and who has come again is left alone", async () => {
    const { database } = openPostgres(url);
    await database.run("update auth_sessions set last_seen_at = 900 where id in ('2', '4')");
    const { idleSessions } = createCleanupRepository(database, "app");
    expect(await idleSessions.count(800)).toBe(people / 2 - 2);
    expect(await idleSessions.deleteSome(800, 1_000)).toBe(people / 2 - 2);
    expect(await idleSessions.count(900)).toBe(2);
    await database.close();
    await admin.unsafe("set enable_seqscan to off");
    const plan = await admin.unsafe(
      "explain select id from auth_sessions where remembered = 0 and created_at <= 800 and last_seen_at <= 800 and app = 'app'",
    );
    expect(JSON.stringify(plan)).toContain("auth_sessions_unremembered");
  });
});

import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { migrations } from "../../migrations/index.ts";
import { hour, systemClock } from "../../src/core/clock.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { createCountRepository } from "../../src/figures/count.repository.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";
import { openPostgres } from "./database.postgres.ts";

const begin = 1_000 * hour;
const insert = `insert into audit_events (id, at, app, action, outcome, reason, actor, count)
  values ($id, $at, 'app', 'auth.logged-in', 'success', 'by_password', 'user', 1)`;

describe.skipIf(postgresMissing !== undefined)(
  `D-18 counts by the hour on PostgreSQL (${postgresMissing ?? "real"})`,
  () => {
    let server: Postgres;
    let url: string;
    let database: Database;
    beforeAll(async () => {
      server = await startPostgres();
      ({ url } = await server.createDatabase());
      ({ database } = openPostgres(url, { connections: 8 }));
      await createMigrator({ database, migrations, clock: systemClock }).up();
    }, 60_000);
    afterAll(async () => {
      await database?.close();
      await server?.stop();
    });

    const counted = async (): Promise<unknown> => {
      const events = await createCountRepository(database).list(begin, hour);
      return events.map(({ at, events: n }) => [at, n]).toSorted();
    };

    /** Runs the test on two connections that count into different rows. */
    async function onTwo(work: (one: SQL, two: SQL) => Promise<void>): Promise<void> {
      const clients = Array.from({ length: 4 }, () => new SQL(url, { max: 1 }));
      const slots = await Promise.all(
        clients.map(async (client) => {
          const [row] = await client.unsafe<{ slot: number }[]>("select pg_backend_pid() % 16 as slot");
          return row?.slot;
        }),
      );
      const [one, two] = [clients[0], clients[slots.findIndex((slot) => slot !== slots[0])]];
      if (one === undefined || two === undefined) throw new Error("all connections count into one row");
      await work(one, two);
      await Promise.all(clients.map((client) => client.close()));
    }

    test("a sign-in that is not committed yet holds up no other one", () =>
      onTwo(async (one, two) => {
        const signedIn = (id: string): string => insert.replace("$id", `'${id}'`).replace("$at", String(begin + 1));
        await one.unsafe(`begin; ${signedIn("one")}`).simple();
        await two.unsafe(`begin; set local lock_timeout = '100ms'; ${signedIn("two")}; commit`).simple();
        expect(await counted()).toEqual([[begin, 1]]);
        await one.unsafe("commit").simple();
        expect(await counted()).toEqual([[begin, 2]]);
      }));

    test("mails that come to their end at the same moment do not wait for one another's count, which becomes one row later", async () => {
      const at = begin + 10 * hour;
      const sent = (
        id: string,
      ) => `insert into mails (id, address_key, kind, app, state, attempts, count, requested_at, changed_at)
        values ('${id}', 'a', 'k', 'app', 'sent', 0, 1, ${at}, ${at})`;
      await onTwo(async (one, two) => {
        await one.unsafe(`begin; ${sent("one")}`).simple();
        await two.unsafe(`begin; set local lock_timeout = '100ms'; ${sent("two")}; commit`).simple();
        await one.unsafe("commit").simple();
        await two.unsafe(sent("three"));
      });
      const repository = createCountRepository(database);
      expect(await repository.mails(at, hour)).toEqual([{ at, state: "sent", mails: 3 }]);
      while ((await repository.unite(at + hour, 5)) > 0);
      expect(await database.all("select hour, mails from mail_hours")).toEqual([{ hour: at, mails: 3 }]);
    });

    test("slots of hours that are over become one row while others count, and no event is lost or counted twice", async () => {
      const repository = createCountRepository(database);
      let united = 0;
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; n < 40; n += 1)
          await database.batch([
            { sql: insert, params: { id: `${writer}-${n}`, at: begin + (1 + (n % 3)) * hour + n } },
          ]);
      });
      const uniting = Array.from({ length: 2 }, async () => {
        for (let n = 0; n < 40; n += 1) united += await repository.unite(begin + 3 * hour, 5);
      });
      await Promise.all([...writers, ...uniting]);
      while ((await repository.unite(begin + 3 * hour, 5)) > 0) united += 1;
      expect(united).toBeGreaterThan(0);
      const expected = [1, 2, 3].map((n) => [begin + n * hour, 8 * (n === 1 ? 14 : 13)]);
      expect(await counted()).toEqual([[begin, 2], ...expected]);
      const rows = await database.all<{ hour: number }>(
        `select hour from audit_hours where hour < ${begin + 3 * hour}`,
      );
      expect(rows.map(({ hour: at }) => at).toSorted()).toEqual([begin, begin + hour, begin + 2 * hour]);
    }, 60_000);
  },
);

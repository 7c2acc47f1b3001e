import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { postgresMissing, startPostgres } from "../support/postgres.ts";

describe.skipIf(postgresMissing !== undefined)(
  `the Postgres server of the tests (${postgresMissing ?? "real"})`,
  () => {
    test("makes databases, asks for the password it is told to, and keeps what was committed over a crash and a restart", async () => {
      const server = await startPostgres({ auth: "scram-sha-256", fsync: true });
      try {
        const { url } = await server.createDatabase();
        const write = new SQL(url, { max: 1 });
        await write.unsafe("create table kept (n bigint)");
        await write.unsafe("insert into kept values (1)");
        await server.kill();
        await server.restart();
        await server.restart();
        const read = new SQL(url, { max: 1 });
        expect(await read.unsafe("select n::int from kept")).toEqual([{ n: 1 }]);
        const stranger = new URL(url);
        stranger.password = "guessed";
        const refused = new SQL(stranger.href, { max: 1 });
        expect(await refused.unsafe("select 1").catch((error: unknown) => String(error))).toContain("password");
        await Promise.all([write, read, refused].map((sql) => sql.close({ timeout: 0 })));
      } finally {
        await server.stop();
      }
    }, 60_000);
  },
);

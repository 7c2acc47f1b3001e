import { SQL } from "bun";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { DatabaseUnavailable } from "../../src/drivers/database/index.ts";
import { eventually } from "../support/log.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";
import { startRelay } from "../support/relay.ts";
import { createOpener, makeFacts } from "./database.postgres.ts";

/** Resolves to whether the work succeeds. */
const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

describe.skipIf(postgresMissing !== undefined)("a server that only reads", () => {
  let server: Postgres;
  const { use, useWhole, closeAll } = createOpener();
  beforeAll(async () => {
    server = await startPostgres({ auth: "scram-sha-256" });
  }, 60_000);
  afterEach(closeAll);
  afterAll(() => server.stop());

  test("D-03 is told by checkWritable, and refuses a write with 503", async () => {
    const { url } = await server.createDatabase();
    const { database, health } = useWhole(url);
    await makeFacts(database);
    await using admin = new SQL(url, { max: 1 });
    await admin.unsafe(
      "do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$",
    );
    const later = useWhole(url);
    await expect(later.health.checkWritable()).rejects.toThrow(DatabaseUnavailable);
    await later.health.ping();
    await expect(later.database.run("update counters set n = 1")).rejects.toThrow("only reads");
    await health.checkWritable();
  });

  test("D-03 connections to one that has become a standby are replaced as soon as one of them refuses a write, and none is read from any more", async () => {
    const { url } = await server.createDatabase();
    await makeFacts(use(url));
    const standby = await startPostgres({ auth: "scram-sha-256", following: { primary: server, as: "behind" } });
    const relay = await startRelay(standby.port);
    const address = url.replace(`:${server.port}/`, `:${relay.port}/`);
    const { database, health } = useWhole(address);
    const lags = async (): Promise<boolean> => {
      const asked = Array.from({ length: 16 }, () =>
        database.get<{ standby: number }>("select pg_is_in_recovery() as standby"),
      );
      return (await Promise.all(asked)).some((row) => row?.standby === 1);
    };
    expect(await lags()).toBe(true);
    // The address leads to the primary from now on, but nobody has closed what was open.
    relay.leadTo(server.port);
    await expect(database.run("update counters set n = 1")).rejects.toThrow("only reads");
    await eventually("a write", () => succeeds(database.run("update counters set n = 2")), 10_000);
    await eventually("no read from the standby", async () => !(await lags()), 10_000);
    // A process that only reads learns it from its readiness.
    relay.leadTo(standby.port);
    const reader = useWhole(address);
    await expect(reader.health.checkWritable()).rejects.toThrow("a standby");
    relay.leadTo(server.port);
    await eventually("readiness", () => succeeds(reader.health.checkWritable()), 10_000);
    await health.checkWritable();
    await Promise.all([database.close(), reader.database.close()]);
    await relay.stop();
    await standby.stop();
  }, 60_000);
});

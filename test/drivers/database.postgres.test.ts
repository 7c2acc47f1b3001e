import { SQL } from "bun";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPostgresUrl } from "../../src/core/postgres.url.ts";
import { type Database, DatabaseUnavailable, type Statement } from "../../src/drivers/database/index.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { createPostgresDatabase, type PostgresOptions } from "../../src/drivers/database/postgres/postgres.ts";
import { makeCertificate, opensslMissing } from "../support/certificate.ts";
import { eventually } from "../support/log.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";
import { startRelay } from "../support/relay.ts";
import { databaseConformance } from "./database.conformance.ts";

const open = (url: string, options: Partial<PostgresOptions> = {}): Database => {
  const address = readPostgresUrl(url);
  if (typeof address === "string") throw new Error(address);
  return createPostgresDatabase({ name: "default", address, connections: 8, ...options });
};

const addFact = (id: string): Statement[] => [
  { sql: "insert into facts (id) values ($id)", params: { id } },
  { sql: "update counters set n = n + 1", guard: true },
];

/** What the promises came to, in words. */
const outcomes = async (calls: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(calls)).map((call) =>
    call.status === "fulfilled"
      ? "answered"
      : call.reason instanceof DatabaseUnavailable
        ? "unavailable"
        : String(call.reason),
  );

describe.skipIf(postgresMissing !== undefined)("postgres", () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.stop());

  databaseConformance("postgres", async () => {
    const { url } = await server.createDatabase();
    const database = openDatabase({ driver: "postgres", path: "", url }, {});
    return { database, dispose: () => database.close() };
  });

  describe("a database on a server", () => {
    let url: string;
    let admin: SQL;
    const opened: Database[] = [];

    function use(options: Partial<PostgresOptions> = {}, at = url): Database {
      const database = open(at, options);
      opened.push(database);
      return database;
    }

    async function withFacts(options: Partial<PostgresOptions> = {}): Promise<Database> {
      const database = use(options);
      await database.run("create table facts (id text primary key)");
      await database.run("create table counters (n bigint not null)");
      await database.run("insert into counters (n) values (0)");
      return database;
    }

    beforeEach(async () => {
      ({ url } = await server.createDatabase());
      admin = new SQL(url, { max: 1 });
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((database) => database.close()));
      await admin.close();
    });

    test("values are what they are in SQLite: numbers for sums and counts, 0 and 1 for truth", async () => {
      const database = await withFacts();
      const sql = "select count(*) as n, sum(n) as total, count(*) = 1 as one, max(n) is null as none from counters";
      expect(await database.get(sql)).toEqual({ n: 1, total: 0, one: 1, none: 0 });
    });

    test("a parameter may be named twice, and what only looks like one is text", async () => {
      const database = use();
      const sql = `select cast($a as text) || $b || $a as joined, '$a' as text, $q$ '$b $q$ as quoted -- $c`;
      expect(await database.get(sql, { a: "x", b: "y" })).toEqual({ joined: "xyx", text: "$a", quoted: " '$b " });
    });

    test("get and all refuse to write", async () => {
      const database = await withFacts();
      await expect(database.get("insert into facts (id) values ('x') returning id")).rejects.toThrow("only read");
      await expect(database.all("delete from facts returning id")).rejects.toThrow("only read");
    });

    test("many different statements pass through a bounded cache", async () => {
      const database = use();
      const answers = await Promise.all(Array.from({ length: 1_500 }, (_, n) => database.get(`select ${n} as n`)));
      expect(answers).toEqual(Array.from({ length: 1_500 }, (_, n) => ({ n })));
    });

    test("a column that is added meanwhile disturbs nobody who used the table before", async () => {
      const database = await withFacts();
      const write = (id: string) =>
        database.batch([
          { sql: "insert into facts (id) values ($id) returning *", params: { id } },
          ...addFact(`${id}b`),
        ]);
      await Promise.all(
        Array.from({ length: 32 }, (_, n) =>
          Promise.all([write(`before-${n}`), database.get("select * from counters")]),
        ),
      );
      await admin.unsafe("alter table facts add column note text; alter table counters add column note text");
      const read = () => database.get("select * from counters");
      await Promise.all(Array.from({ length: 32 }, (_, n) => Promise.all([write(`after-${n}`), read()])));
      expect(await database.get("select n from counters")).toEqual({ n: 64 });
    });

    test("more than ten thousand waiting reads or writes are refused, those before are served", async () => {
      await withFacts();
      const database = use({ timeoutMs: 500 });
      const holder = await admin.reserve();
      await holder.unsafe("begin; lock table facts");
      const sql = "insert into facts (id) values ($id)";
      const ids = Array.from({ length: 10_001 }, (_, n) => `${n}`);
      const writes = await Promise.allSettled(ids.map((id) => database.run(sql, { id })));
      const refused = writes.filter(
        (write) => write.status === "rejected" && String(write.reason).includes("10000 writes"),
      );
      expect(refused).toHaveLength(1);
      await holder.unsafe("rollback");
      holder.release();
      const reads = await outcomes(ids.map(() => database.get("select 1 as one")));
      expect(reads.filter((outcome) => outcome !== "answered")).toEqual(["unavailable"]);
      await database.batch(addFact("served"));
    }, 30_000);

    test("a write that another transaction is in the way of waits for it, and reads go on", async () => {
      const database = await withFacts();
      const holder = await admin.reserve();
      await holder.unsafe("begin; update counters set n = n + 1");
      const writes = Promise.all(Array.from({ length: 20 }, (_, n) => database.batch(addFact(`${n}`))));
      expect(await database.get("select n from counters")).toEqual({ n: 0 });
      await holder.unsafe("commit");
      holder.release();
      await writes;
      expect(await database.get("select n from counters")).toEqual({ n: 21 });
    });

    test("a write that gets no lock in time is refused, and not made later", async () => {
      const database = await withFacts();
      const impatient = use({ timeoutMs: 400 });
      const holder = await admin.reserve();
      await holder.unsafe("begin; update counters set n = n + 1");
      const refusal: unknown = await impatient.batch(addFact("late")).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(DatabaseUnavailable);
      expect(String(refusal)).toContain("another transaction holds a lock");
      await holder.unsafe("rollback");
      holder.release();
      expect(await database.get("select (select n from counters) as n, count(*) as facts from facts")).toEqual({
        n: 0,
        facts: 0,
      });
    });

    test("a statement that takes too long is ended by the server", async () => {
      const database = use({ timeoutMs: 300 });
      await expect(database.get("select pg_sleep(20)")).rejects.toThrow("a statement took too long");
      const patient = use({ timeoutMs: 300, patient: true });
      expect(await patient.get("select count(*) as n from (select pg_sleep(0.8)) as slept")).toEqual({ n: 1 });
    });

    test("batches that take their locks in opposite orders all come through", async () => {
      const database = await withFacts();
      await database.run("create table sums (id text primary key, n bigint not null)");
      await database.run("insert into sums (id, n) values ('a', 0), ('b', 0)");
      const add = (id: string): Statement => ({
        sql: "update sums set n = n + 1 where id = $id",
        params: { id },
        guard: true,
      });
      const both = [add("a"), add("b")];
      await Promise.all(Array.from({ length: 60 }, (_, n) => database.batch(n % 2 === 0 ? both : both.toReversed())));
      expect(await database.all("select n from sums")).toEqual([{ n: 60 }, { n: 60 }]);
    }, 30_000);

    test("a row that another batch adds at the same moment is seen, and the guard that asked for it named", async () => {
      const database = await withFacts();
      const addOnce = (): Statement[] => [
        { sql: "update counters set n = n where not exists (select 1 from facts where id = 'one')", guard: true },
        { sql: "insert into facts (id) values ('one')" },
      ];
      const results = await Promise.all(Array.from({ length: 24 }, () => database.batch(addOnce())));
      expect(results.filter(({ applied }) => applied)).toHaveLength(1);
      for (const result of results) if (!result.applied) expect(result.failedGuard).toBe(0);
    });

    test("of callers in two processes who ask for the last of it, one gets it", async () => {
      const database = await withFacts();
      await database.run("update counters set n = 30");
      const child = Bun.spawn(
        [process.execPath, new URL("database.postgres.taker.ts", import.meta.url).pathname, url],
        {
          stderr: "inherit",
        },
      );
      const take: Statement = { sql: "update counters set n = n - 1 where n > 0", guard: true };
      const own = await Promise.all(
        Array.from({ length: 40 }, () => database.batch([take, { sql: "select 1 as one" }])),
      );
      const theirs = Number(await new Response(child.stdout).text());
      expect(await child.exited).toBe(0);
      expect(own.filter(({ applied }) => applied).length + theirs).toBe(30);
      expect(await database.get("select n from counters")).toEqual({ n: 0 });
    }, 30_000);

    test("D-01 a network that swallows everything ends each call in time, and the driver recovers by itself", async () => {
      await withFacts();
      const relay = await startRelay(server.port);
      const database = use({ timeoutMs: 1_500 }, url.replace(`:${server.port}/`, `:${relay.port}/`));
      await Promise.all(Array.from({ length: 16 }, () => database.ping()));
      relay.silence();
      const since = performance.now();
      const calls = [
        ...Array.from({ length: 40 }, (_, n) => database.batch(addFact(`silent-${n}`))),
        ...Array.from({ length: 40 }, () => database.get("select n from counters")),
        database.run("update counters set n = 0", {}, { durable: false }),
        database.ping(),
      ];
      expect(new Set(await outcomes(calls))).toEqual(new Set(["unavailable"]));
      expect(performance.now() - since).toBeLessThan(20_000);
      relay.forward();
      await eventually("an answer", () =>
        database.ping().then(
          () => true,
          () => false,
        ),
      );
      await database.batch(addFact("after"));
      expect(await database.get("select n from counters")).toEqual({ n: 1 });
      await database.close();
      await relay.stop();
    }, 60_000);

    test("it closes in time also when the server is silent", async () => {
      const relay = await startRelay(server.port);
      const database = use({ timeoutMs: 300 }, url.replace(`:${server.port}/`, `:${relay.port}/`));
      await database.ping();
      relay.silence();
      const pending = outcomes([database.get("select 1 as one")]);
      await database.close();
      expect(await pending).toEqual(["unavailable"]);
      await relay.stop();
    }, 30_000);

    test("D-03 a server that only reads is told by checkWritable, and refuses a write with 503", async () => {
      const database = await withFacts();
      await admin.unsafe(
        "do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$",
      );
      const later = use();
      await expect(later.checkWritable()).rejects.toThrow(DatabaseUnavailable);
      await later.ping();
      await expect(later.run("update counters set n = 1")).rejects.toThrow("only reads");
      await database.checkWritable();
    });
  });
});

describe.skipIf(postgresMissing !== undefined)("a server that fails", () => {
  let server: Postgres;
  const opened: Database[] = [];
  beforeAll(async () => {
    server = await startPostgres({ fsync: true, auth: "scram-sha-256", settings: { max_connections: "20" } });
  }, 60_000);
  afterEach(() => Promise.all(opened.splice(0).map((database) => database.close())));
  afterAll(() => server.stop());

  function use(url: string, options: Partial<PostgresOptions> = {}): Database {
    const database = open(url, options);
    opened.push(database);
    return database;
  }

  test("D-02 what was acknowledged before a crash of the server is there after it, and every call ends", async () => {
    const { url } = await server.createDatabase();
    const database = use(url);
    await database.run("create table facts (id text primary key)");
    await database.run("create table counters (n bigint not null)");
    await database.run("insert into counters (n) values (0)");
    const acknowledged: string[] = [];
    let refused = 0;
    let stopped = false;
    let next = 0;
    async function write(): Promise<void> {
      while (!stopped) {
        const id = `fact-${(next += 1)}`;
        try {
          await database.batch(addFact(id));
          acknowledged.push(id);
        } catch (error) {
          expect(error).toBeInstanceOf(DatabaseUnavailable);
          refused += 1;
          await Bun.sleep(5);
        }
      }
    }
    const callers = Array.from({ length: 32 }, write);
    for (let round = 1; round <= 3; round += 1) {
      const before = acknowledged.length;
      await eventually("fifty more writes", () => acknowledged.length > before + 50);
      await (round === 2 ? server.restart() : server.kill());
      if (round !== 2) await server.restart();
    }
    const before = acknowledged.length;
    await eventually("fifty more writes", () => acknowledged.length > before + 50);
    stopped = true;
    await Promise.all(callers);
    expect(refused).toBeGreaterThan(0);
    const stored = new Set((await database.all<{ id: string }>("select id from facts")).map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    // Both statements of each batch or neither.
    expect(await database.get("select n from counters")).toEqual({ n: stored.size });
  }, 120_000);

  test("D-04 refusals are in plain words, without user and password", async () => {
    const { username, password } = new URL(server.url);
    const why = async (url: string): Promise<string> => {
      const error: unknown = await use(url, { connections: 1 })
        .ping()
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(DatabaseUnavailable);
      const shown = `${Bun.inspect(error)} ${String(error)}`;
      for (const secret of [password, "wrong-password", username]) expect(shown).not.toContain(secret);
      return String(error).replace(/^DatabaseUnavailable: database "default": /, "");
    };
    const at = (change: (url: URL) => void): string => {
      const url = new URL(server.url);
      change(url);
      return url.href;
    };
    expect(await why(at((url) => (url.password = "wrong-password")))).toBe("the password was refused (28P01)");
    expect(await why(at((url) => (url.pathname = "/nowhere")))).toBe("there is no database of that name (3D000)");
    expect(await why(at((url) => (url.port = "1")))).toBe(
      "nothing listens at its address (ERR_POSTGRES_CONNECTION_REFUSED)",
    );
    expect(await why(at((url) => (url.search = "?sslmode=require")))).toBe(
      "the server offers no TLS, which sslmode in DB_URL asks for (ERR_POSTGRES_TLS_NOT_AVAILABLE)",
    );
    const crowd = new SQL(server.url, { max: 20 });
    await Promise.allSettled(Array.from({ length: 20 }, () => crowd.unsafe("select pg_sleep(0.05)")));
    expect(await why(server.url)).toStartWith("the server has no connection left");
    await crowd.close();
    const database = use(server.url);
    await database.run("create table people (email text primary key)");
    const insert = () => database.run("insert into people (email) values ($email)", { email: "ada@example.com" });
    await insert();
    const duplicate: unknown = await insert().catch((error: unknown) => error);
    expect(Bun.inspect(duplicate)).toContain("23505 people people_pkey");
    expect(Bun.inspect(duplicate)).not.toContain("ada@");
  }, 30_000);
});

describe.skipIf(postgresMissing !== undefined || opensslMissing !== undefined)("a server with TLS", () => {
  let server: Postgres;
  let folder: string;
  let certFile: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-postgres-tls-"));
    const files = makeCertificate(folder);
    ({ certFile } = files);
    const [certificate, key] = await Promise.all([certFile, files.keyFile].map((path) => Bun.file(path).text()));
    server = await startPostgres({ tls: { certificate: certificate ?? "", key: key ?? "" }, auth: "scram-sha-256" });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  async function tried(host: string, query: string): Promise<string> {
    const url = new URL(`${server.url}?${query}`);
    url.hostname = host;
    const database = open(url.href, { connections: 1 });
    try {
      return await database.ping().then(() => "answered", String);
    } finally {
      await database.close();
    }
  }

  test("D-05 with verify-full the certificate has to be of a trusted authority, and for that host", async () => {
    expect(await tried("localhost", `sslmode=verify-full&sslrootcert=${certFile}`)).toBe("answered");
    expect(await tried("127.0.0.1", "sslmode=require")).toBe("answered");
    const refusal = 'DatabaseUnavailable: database "default": its certificate was refused';
    expect(await tried("localhost", "sslmode=verify-full")).toStartWith(refusal);
    expect(await tried("127.0.0.1", `sslmode=verify-full&sslrootcert=${certFile}`)).toStartWith(refusal);
  }, 30_000);
});

import { SQL } from "bun";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseUnavailable } from "../../src/drivers/database/index.ts";
import { makeCertificate, opensslMissing } from "../support/certificate.ts";
import { eventually } from "../support/log.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";
import { startRelay, type Relay } from "../support/relay.ts";
import { addFact, createOpener, makeFacts, openPostgres } from "./database.postgres.ts";

/** Resolves to how each call ended, in words. */
const outcomes = async (calls: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(calls)).map((call) =>
    call.status === "fulfilled"
      ? "answered"
      : call.reason instanceof DatabaseUnavailable
        ? "unavailable"
        : String(call.reason),
  );

describe.skipIf(postgresMissing !== undefined)("a server that fails", () => {
  let server: Postgres;
  const { use, useWhole, closeAll } = createOpener();
  beforeAll(async () => {
    server = await startPostgres({ fsync: true, auth: "scram-sha-256", settings: { max_connections: "20" } });
  }, 60_000);
  afterEach(closeAll);
  afterAll(() => server.stop());

  const through = ({ port }: Relay, url: string): string => url.replace(`:${server.port}/`, `:${port}/`);

  test("D-02 what was acknowledged before a crash of the server is there after it, and every call ends", async () => {
    const { url } = await server.createDatabase();
    const database = await makeFacts(use(url));
    const acknowledged: string[] = [];
    let refused = 0;
    let stopped = false;
    let next = 0;
    async function write(_: unknown, caller: number): Promise<void> {
      while (!stopped) {
        const isAlone = caller % 2 === 0;
        const id = `${isAlone ? "lone" : "fact"}-${(next += 1)}`;
        try {
          if (isAlone) await database.run("insert into facts (id) values ($id)", { id });
          else await database.batch(addFact(id));
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
    // Each batch has stored both of its statements or neither.
    const inBatches = [...stored].filter((id) => id.startsWith("fact"));
    expect(await database.get("select n from counters")).toEqual({ n: inBatches.length });
  }, 120_000);

  test("D-04 refusals are in plain words, without user and password", async () => {
    const { username, password } = new URL(server.url);
    const why = async (url: string): Promise<string> => {
      const error: unknown = await useWhole(url, { connections: 1 })
        .health.ping()
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(DatabaseUnavailable);
      // The stack has the path of this file, and a folder may be called like the user.
      const shown = `${Bun.inspect(error)} ${String(error)}`
        .replaceAll(process.cwd(), "")
        .replaceAll(encodeURI(process.cwd()), "");
      for (const secret of [password, "wrong-password", username]) expect(shown).not.toContain(secret);
      return String(error).replace(/^DatabaseUnavailable: database "default": /, "");
    };
    const at = (change: (url: URL) => void): string => {
      const url = new URL(server.url);
      change(url);
      return url.href;
    };
    expect(await why(at((url) => (url.password = "wrong-password")))).toBe(
      "the user or the password was refused (28P01)",
    );
    expect(await why(at((url) => (url.pathname = "/nowhere")))).toBe(
      "the server has no database of that name: make it with createdb (3D000)",
    );
    expect(await why(at((url) => (url.port = "1")))).toBe(
      "nothing listens at its address, or the name of its host is not known (ERR_POSTGRES_CONNECTION_REFUSED)",
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

  test("D-01 a network that swallows everything ends each call in time, and the driver recovers by itself", async () => {
    const { url } = await server.createDatabase();
    await makeFacts(use(url));
    const relay = await startRelay(server.port);
    const { database, health } = useWhole(through(relay, url), { timeoutMs: 1_500 });
    await Promise.all(Array.from({ length: 16 }, () => health.ping()));
    relay.silence();
    const since = performance.now();
    const calls = [
      ...Array.from({ length: 40 }, (_, n) => database.batch(addFact(`silent-${n}`))),
      ...Array.from({ length: 40 }, () => database.get("select n from counters")),
      database.run("update counters set n = 0", {}, { durable: false }),
      health.ping(),
    ];
    expect(new Set(await outcomes(calls))).toEqual(new Set(["unavailable"]));
    expect(performance.now() - since).toBeLessThan(20_000);
    relay.forward();
    await eventually("an answer", () =>
      health.ping().then(
        () => true,
        () => false,
      ),
    );
    await database.batch(addFact("after"));
    expect(await database.get("select n from counters")).toEqual({ n: 1 });
    await database.close();
    await relay.stop();
  }, 60_000);

  test("D-01 a client that falls silent in the middle of a batch holds up a write of the same row for less than that is tried", async () => {
    const { url } = await server.createDatabase();
    const other = await makeFacts(use(url));
    await using admin = new SQL(url, { max: 1 });
    const relay = await startRelay(server.port);
    const { database: silent, health } = useWhole(through(relay, url));
    await health.ping();
    const batch = outcomes([silent.batch([...addFact("silent"), { sql: "select pg_sleep(0.3)" }])]);
    await eventually("the row to be locked", async () => {
      const [sleeping] = await admin<unknown[]>`select 1 as n from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`;
      return sleeping !== undefined;
    });
    relay.silence();
    await other.batch(addFact("after"));
    expect(await other.all("select id from facts")).toEqual([{ id: "after" }]);
    await relay.stop();
    expect(await batch).toEqual(["unavailable"]);
  }, 30_000);

  test("D-01 a process that stands still for seconds in the middle of a batch makes it all the same, once", async () => {
    const { url } = await server.createDatabase();
    const database = await makeFacts(use(url));
    const begun = Promise.all(["one", "two", "three"].map((id) => database.batch(addFact(id))));
    // The statements have been sent by now, and the server answers them while this process stands still, before any commit is sent.
    await new Promise(setImmediate);
    Bun.sleepSync(2_500);
    expect((await begun).every(({ applied }) => applied)).toBe(true);
    expect(await database.get("select n, (select count(*) from facts) as facts from counters")).toEqual({
      n: 3,
      facts: 3,
    });
  });

  test("D-01 a process that stands still for seconds while a group of statements is being made makes each of them once", async () => {
    const { url } = await server.createDatabase();
    const database = await makeFacts(use(url));
    const count = (id: string) =>
      database.run(`update counters set n = n + 1 where '${id}' <> $id returning '${id}' as id`, { id: "" });
    let isOver = false;
    const begun = Promise.all(["one", "two", "three"].map(count)).finally(() => (isOver = true));
    const begins = eventually("the group to have begun", async () => {
      // A group that is made before anybody has seen it open won't be seen later either.
      if (isOver) return true;
      await using admin = new SQL(url, { max: 1 });
      const [open] = await admin<unknown[]>`select 1 as n from pg_stat_activity
        where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`;
      return open !== undefined;
    });
    await Promise.race([begun, begins]);
    Bun.sleepSync(2_500);
    expect((await begun).map(({ rows }) => rows)).toEqual([[{ id: "one" }], [{ id: "two" }], [{ id: "three" }]]);
    expect(await database.get("select n from counters")).toEqual({ n: 3 });
    await begins;
  });

  test("it closes in time also when the server is silent", async () => {
    const relay = await startRelay(server.port);
    const { database, health } = useWhole(through(relay, server.url), { timeoutMs: 300 });
    await health.ping();
    relay.silence();
    const pending = outcomes([database.get("select 1 as one")]);
    await database.close();
    expect(await pending).toEqual(["unavailable"]);
    await relay.stop();
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

  /** Resolves to what a call comes to where `act` is done once the server has agreed to TLS. */
  async function whenSettingUp(act: (socket: Socket) => void): Promise<string> {
    const dying = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", () => {
        socket.write("S");
        socket.once("data", () => act(socket));
      });
    });
    await new Promise<void>((resolve) => dying.listen(0, "127.0.0.1", resolve));
    const address = dying.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    const url = `postgres://ada@127.0.0.1:${address.port}/none?sslmode=require`;
    const { database, health } = openPostgres(url, { connections: 1 });
    try {
      return await health.ping().then(() => "answered", String);
    } finally {
      await database.close();
      await new Promise((resolve) => dying.close(resolve));
    }
  }

  test("D-02 a server that dies while TLS is being set up is unavailable, and so is one that speaks none", async () => {
    expect(await whenSettingUp((socket) => socket.end())).toBe(
      'DatabaseUnavailable: database "default": the connection was lost or could not be made (ECONNRESET)',
    );
    expect(await whenSettingUp((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))).toBe(
      'DatabaseUnavailable: database "default": TLS could not be set up (EPROTO)',
    );
  }, 30_000);

  async function tried(host: string, query: string): Promise<string> {
    const url = new URL(`${server.url}?${query}`);
    url.hostname = host;
    const { database, health } = openPostgres(url.href, { connections: 1 });
    try {
      return await health.ping().then(() => "answered", String);
    } finally {
      await database.close();
    }
  }

  test("D-05 with verify-full the certificate has to be of a trusted authority, and for that host", async () => {
    expect(await tried("localhost", `sslmode=verify-full&sslrootcert=${certFile}`)).toBe("answered");
    expect(await tried("127.0.0.1", "sslmode=require")).toBe("answered");
    expect(await tried("localhost", "sslmode=verify-full")).toContain("its certificate is of an authority that is not");
    const other = await tried("127.0.0.1", `sslmode=verify-full&sslrootcert=${certFile}`);
    expect(other).toContain("its certificate is for another host than DB_URL names");
    expect(await tried("localhost", "sslmode=verify-full&sslrootcert=/nowhere/ca.pem")).toBe(
      'DatabaseUnavailable: database "default": the file that sslrootcert in DB_URL names can\'t be read',
    );
  }, 30_000);
});

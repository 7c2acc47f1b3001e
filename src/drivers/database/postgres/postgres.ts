import type { PostgresAddress } from "../../../core/address/postgres.url.ts";
import { minute } from "../../../core/clock.ts";
import { createTurns } from "../../../core/pace/turns.ts";
import { createWayOut } from "../../way.out.ts";
import type { OpenDatabaseOptions } from "../driver.ts";
import type { Database, HealthCapability, IndexCapability, Params, Statement } from "../index.ts";
import { createCalls, unavailable, waitingLimit } from "./calls.ts";
import { codeOf, readOnly, translate } from "./errors.ts";
import { createGroups } from "./groups.ts";
import { createIndexing } from "./indexing.ts";
import { listenTo } from "./listening.ts";
import { createPartitions } from "./partitions.ts";
import { createPool, type Pool } from "./pool.ts";
import { createPositionalCache } from "./positional.ts";
import { untilUndisturbed } from "./retry.ts";
import { convert, type Returned } from "./rows.ts";
import { createTransactions, type Outcome } from "./transaction.ts";

export interface PostgresOptions extends OpenDatabaseOptions {
  readonly address: PostgresAddress;
  /** The most connections. */
  readonly connections: number;
  /**
   * How long a statement may run, how long a write waits for a connection, and how long it is tried again while others are in the way.
   * Default 5 s.
   */
  readonly timeoutMs?: number;
}

const noParams: Params = {};
const patienceMs = 10 * minute;

/** Connects at the first call. Reads share connections; a write has one for itself while it is made. */
export function createPostgresDatabase(options: PostgresOptions) {
  const { name = "default", address, connections, timeoutMs = 5_000, patient = false, log, metrics } = options;
  const pool = createPool({ name, address, connections, timeoutMs, patient, log });
  const read = createPositionalCache();
  const transact = createTransactions(pool, read);
  // Reads are answered at once while writes wait for locks and for the disk: one connection in eight is theirs.
  const places = Math.max(1, connections - Math.ceil(connections / 8));
  const turns = createTurns({
    running: places,
    waiting: waitingLimit,
    refusal: () => unavailable(`${waitingLimit} writes are waiting`),
  });
  const concurrent = createIndexing(pool);
  // A command that changes whole tables waits for as long as a vacuum may take: nobody waits for it longer than a lock may last.
  const undisturbedMs = patient ? patienceMs : timeoutMs;
  const makeInGroup = createGroups({ pool, turns, timeoutMs });
  const { counted, close: untilIdle } = createCalls({
    name,
    metrics,
    wayOut: address.socket === undefined ? createWayOut(address.host) : async () => undefined,
    onFailure: (error) => {
      if (codeOf(error) === readOnly) pool.leaveReadOnly();
    },
  });
  let closing: Promise<void> | undefined;

  const query = async (sql: string, params: Params, since: number): Promise<Returned> => {
    const { text, bind, reads } = read(sql, params);
    if (!reads) throw new TypeError("get and all only read: use run or batch to write");
    const values = bind(params);
    const ask = () => pool.query((connection) => connection.unsafe<never[]>(text, values));
    return convert(await untilUndisturbed(since, timeoutMs, ask));
  };

  /** Waits for a turn, and tries again while others are in the way. */
  const inTurn = <T>(since: number, work: () => Promise<T>): Promise<T> =>
    turns.run(() => {
      if (performance.now() - since > timeoutMs) throw unavailable(`it had no connection free for ${timeoutMs} ms`);
      return untilUndisturbed(since, undisturbedMs, work);
    });

  /** A statement alone is atomic by itself, and a guard that changed nothing leaves nothing to undo. */
  async function alone(statement: Statement, durable: boolean, since: number): Promise<Outcome> {
    const { sql, params = noParams, guard } = statement;
    const { text, bind, isShort } = read(sql, params);
    const bound = { text, values: bind(params) };
    const grouped = isShort ? await makeInGroup(bound, durable, since) : undefined;
    if (grouped === undefined && (pool.isPooled || !durable))
      return inTurn(since, () => transact([statement], durable));
    const returned =
      grouped ??
      (await inTurn(since, () =>
        pool.hold((connection) => pool.answered(connection.unsafe<never[]>(text, bound.values))),
      ));
    return guard === true && returned.count === 0 ? 0 : [convert(returned)];
  }

  async function write(statements: readonly Statement[], durable: boolean, since: number): Promise<Outcome> {
    const [first] = statements;
    if (first === undefined) return [];
    if (statements.length === 1) return alone(first, durable, since);
    return inTurn(since, () => transact(statements, durable));
  }

  const all = <Row>(sql: string, params: Params = noParams): Promise<Row[]> =>
    counted("reading", "all", (since) => query(sql, params, since));

  const database: Database = {
    dialect: "postgres",
    all,

    get: (sql, params = noParams) => counted("reading", "get", async (since) => (await query(sql, params, since))[0]),

    run: (sql, params = noParams, { durable = true } = {}) =>
      counted("writing", "run", async (since) => {
        const outcome = await write([{ sql, params }], durable, since);
        const [returned] = typeof outcome === "number" ? [] : outcome;
        return { changes: returned?.count ?? 0, rows: returned ?? [] };
      }),

    batch: (statements, { durable = true } = {}) =>
      counted("writing", "batch", async (since) => {
        const outcome = await write(statements, durable, since);
        if (typeof outcome === "number") return { applied: false, failedGuard: outcome };
        return { applied: true, results: outcome.map((rows) => ({ changes: rows.count, rows })) };
      }),

    close: () => (closing ??= close()),
  };

  async function close(): Promise<void> {
    await untilIdle();
    await pool.close();
  }

  const indexing: IndexCapability = {
    build: (index) => counted("writing", "run", () => concurrent.build(index)),
  };
  // A pooler hands on no notices, and keeps no lock of a session: a connection would be given to others between two transactions.
  const ofSessions = { indexing, notices: { listen: listenTo({ address, name, log }) } };
  const partitions = createPartitions({ address, name });
  return { database, health: createHealth(name, database, pool), partitions, ...(!address.pooler && ofSessions) };
}

function createHealth(name: string, database: Database, pool: Pool): HealthCapability {
  const why = ({ standby, fixed }: { readonly standby: number; readonly fixed: number }): string | undefined => {
    if (standby === 1) return "the server is a standby, which only reads";
    return fixed === 1 ? "default_transaction_read_only is set: it only reads" : undefined;
  };
  return {
    driver: "postgres",
    name,
    async ping() {
      await database.all("select 1 as one");
    },
    async checkWritable() {
      const sql = `select pg_is_in_recovery() as standby, current_setting('default_transaction_read_only') = 'on' as fixed`;
      const refusal = why((await database.get(sql)) ?? { standby: 0, fixed: 0 });
      if (refusal === undefined) return;
      pool.leaveReadOnly();
      throw translate(name, unavailable(refusal));
    },
  };
}

import { SQL } from "bun";
import { workerData } from "node:worker_threads";
import type { Changed, SyncAnswer, SyncQuestion, SyncSetup, Value } from "./postgres.sync.ts";

const { port, signal }: SyncSetup = workerData;
const flag = new Int32Array(signal);
const connections = new Map<string, SQL>();
const applicationName = "gatehouse-test-rows";
const patienceMs = 250;

function connectionTo(url: string): SQL {
  const known = connections.get(url);
  if (known !== undefined) return known;
  const options = { max: 1, bigint: true, connectionTimeout: 10, connection: { application_name: applicationName } };
  const connection = new SQL(url, options);
  connections.set(url, connection);
  return connection;
}

/**
 * Cuts connections that block a waiting statement. A transaction of the service may hold a lock that the statement needs, while the service
 * runs in the very thread that waits for the answer: neither would ever end. The service repeats a transaction whose connection is cut.
 */
async function cutOffHolders(url: string): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  await sql.unsafe(
    `select pg_terminate_backend(holder.pid)
     from pg_stat_activity waiting, unnest(pg_blocking_pids(waiting.pid)) as blocking (pid), pg_stat_activity holder
     where waiting.application_name = '${applicationName}' and waiting.datname = current_database()
       and holder.pid = blocking.pid and holder.state = 'idle in transaction'`,
  );
}

async function answer({ url, sql, params }: SyncQuestion): Promise<Changed> {
  const connection = connectionTo(url);
  if (sql === null) {
    connections.delete(url);
    await connection.close({ timeout: 0 });
    return { rows: [], changes: 0 };
  }
  const running = setInterval(() => void cutOffHolders(url).catch(() => undefined), patienceMs);
  try {
    // Parameters are sent as text, which the server converts to the type that the statement needs.
    const rows = await connection.unsafe<never[]>(
      sql,
      params.map((value) => (typeof value === "number" ? String(value) : value)),
    );
    for (const row of rows) toPlain(row);
    return { rows: [...rows], changes: rows.count };
  } finally {
    clearInterval(running);
  }
}

function toPlain(row: Record<string, Value | bigint>): void {
  for (const [name, value] of Object.entries(row)) if (typeof value === "bigint") row[name] = Number(value);
}

port.on("message", (question: SyncQuestion) => {
  const { id } = question;
  void answer(question)
    .then(
      (changed): SyncAnswer => ({ id, ...changed }),
      (error: unknown): SyncAnswer => ({ id, error: String(error) }),
    )
    .then((answered) => {
      port.postMessage(answered);
      Atomics.store(flag, 0, id);
      Atomics.notify(flag, 0);
    });
});

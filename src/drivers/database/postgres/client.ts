import type { ReservedSQL, SQL } from "bun";
import type { PostgresAddress } from "../../../core/address/postgres.url.ts";
import { hostInUrl } from "../../../core/address/url.parts.ts";

/** Longer than any lock should be held, and shorter than the second after which the server looks for deadlocks. */
const lockTimeoutMs = 100;
/**
 * How long a batch may wait for its client between two messages, before the server undoes it and frees its locks. Others try for 5 s to get
 * them, so this is well below. Most batches write a row that hosts share, a count of this hour's audit entries: a host that is cut off
 * without a word while it holds that lock must not make the writes of other hosts fail.
 */
const idleInBatchMs = 2_000;

/** By this name a server shows the connections of Gatehouse. */
export const applicationName = "gatehouse";

export interface ClientOptions {
  readonly address: PostgresAddress;
  readonly connections: number;
  /** How long a statement may run; 0 for as long as it needs. */
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/** Makes a client that connects when it is first used, and again after connections were lost. */
export function createClient(options: ClientOptions): SQL {
  const { address, connections, connectTimeoutMs } = options;
  const { host, port, socket, user, password, name, pooler, tls } = address;
  // The client sends this variable as a setting even where it is told none, and a pooler refuses connections with it.
  if (pooler) delete process.env["PGOPTIONS"];
  return new Bun.SQL({
    // The client reads variables such as DATABASE_URL, PGHOST and PGOPTIONS for every setting that is not named here.
    adapter: "postgres",
    url: `postgres://${hostInUrl(host)}:${port}/`,
    channelBinding: "disable",
    ...(socket === undefined ? { hostname: host, port } : { path: socket, port }),
    username: user,
    password,
    database: name,
    ...toTls(tls),
    max: connections,
    connectionTimeout: connectTimeoutMs / 1000,
    // A statement that a connection has prepared is not there, or is another's, where a pooler gives the next one another connection.
    prepare: !pooler,
    connection: {
      application_name: applicationName,
      ...(!pooler && { options: "", ...limits(options), default_transaction_isolation: "read committed" }),
    },
  });
}

const limits = ({ statementTimeoutMs, connectTimeoutMs }: ClientOptions) => ({
  statement_timeout: String(statementTimeoutMs),
  lock_timeout: String(lockTimeoutMs),
  // A command without a limit for its statements, such as `migrate`, must not fail because its machine is slow to go on.
  idle_in_transaction_session_timeout: String(statementTimeoutMs === 0 ? connectTimeoutMs : idleInBatchMs),
});

type Begin = (connection: ReservedSQL, durable: boolean) => readonly PromiseLike<unknown>[];

/**
 * Returns what opens a transaction on a connection, in one turn. One that is not durable does not wait for the disk. A pooler keeps no settings of a connection, so there each transaction brings them along,
 * in the message that begins it.
 */
export function createBegin(options: ClientOptions): Begin {
  const begin = createOpening(options);
  return (connection, durable) =>
    durable ? [begin(connection)] : [begin(connection), connection`set local synchronous_commit to off`];
}

function createOpening(options: ClientOptions): (connection: ReservedSQL) => PromiseLike<unknown> {
  if (!options.address.pooler) return (connection) => connection`begin`;
  const settings = Object.entries(limits(options)).map(([name, value]) => `; set local ${name} = ${value}`);
  const text = `begin isolation level read committed${settings.join("")}`;
  return (connection) => connection.unsafe(text).simple();
}

/** Resolves to whether the settings of a connection have reached the server. */
export async function hasLimits(client: SQL): Promise<boolean> {
  const [row] = await client.unsafe<{ limit: string }[]>("select current_setting('lock_timeout') as limit").simple();
  return row?.limit === `${lockTimeoutMs}ms`;
}

function toTls({ mode, rootCertificate }: PostgresAddress["tls"]) {
  if (mode !== "verify-full") return { ssl: mode };
  return { tls: { rejectUnauthorized: true, ...(rootCertificate !== undefined && { caFile: rootCertificate }) } };
}

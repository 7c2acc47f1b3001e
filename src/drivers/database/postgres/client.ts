import { SQL } from "bun";
import type { PostgresAddress } from "../../../core/postgres.url.ts";

/** Longer than any lock should be held, and shorter than the second after which the server looks for deadlocks. */
const lockTimeoutMs = 100;

export interface ClientOptions {
  readonly address: PostgresAddress;
  readonly connections: number;
  /** How long a statement may run; 0 for as long as it needs. */
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/** Connects when it is first used, and again after connections were lost. */
export function createClient({ address, connections, statementTimeoutMs, connectTimeoutMs }: ClientOptions): SQL {
  const { host, port, socket, user, password, name, tls } = address;
  return new SQL({
    // The client reads variables such as DATABASE_URL, PGHOST and PGOPTIONS for whatever is not named here.
    adapter: "postgres",
    url: `postgres://${host.includes(":") ? `[${host}]` : host}:${port}/`,
    channelBinding: "disable",
    ...(socket === undefined ? { hostname: host, port } : { path: socket, port }),
    username: user,
    password,
    database: name,
    ...toTls(tls),
    max: connections,
    connectionTimeout: connectTimeoutMs / 1000,
    connection: {
      application_name: "gatehouse",
      options: "",
      statement_timeout: String(statementTimeoutMs),
      lock_timeout: String(lockTimeoutMs),
      // A process that is stopped in the middle of a batch must not keep its locks.
      idle_in_transaction_session_timeout: String(connectTimeoutMs),
      default_transaction_isolation: "read committed",
    },
  });
}

function toTls({ mode, rootCertificate }: PostgresAddress["tls"]) {
  if (mode !== "verify-full") return { ssl: mode };
  return { tls: { rejectUnauthorized: true, ...(rootCertificate !== undefined && { caFile: rootCertificate }) } };
}

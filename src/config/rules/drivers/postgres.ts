import { isAbsolute } from "node:path";
import { readPostgresUrl } from "../../../core/address/postgres.url.ts";
import { isLoopbackHost } from "../hosts.ts";
import { isDeployed, type Judged } from "../judged.ts";

/** Finds contradictions about the database, whatever APP_ENV. */
export function postgresProblems({ reader, config }: Judged): readonly string[] {
  const { driver, url } = config.database;
  if (driver !== "postgres") return url === undefined ? [] : ["DB_URL is set, and DB_DRIVER is not postgres"];
  if (url === undefined) return reader.isSet("DB_URL") ? [] : ["DB_DRIVER=postgres needs DB_URL"];
  const address = readPostgresUrl(url);
  const rootCertificate = typeof address === "string" ? undefined : address.tls.rootCertificate;
  return isDeployed(config) && rootCertificate !== undefined && !isAbsolute(rootCertificate)
    ? ["DB_URL must name sslrootcert by an absolute path"]
    : [];
}

/**
 * Warns of a URL that leads to another machine without TLS, or with TLS that accepts any certificate, and of a database file that goes
 * unused.
 */
export function postgresWarnings({ reader, config }: Judged): readonly string[] {
  const { driver, url = "" } = config.database;
  const address = readPostgresUrl(url);
  if (driver !== "postgres" || typeof address === "string") return [];
  const unused = reader.isSet("DB_DATABASE")
    ? ["DB_DATABASE names a file, which is not used: with DB_DRIVER=postgres everything is in the database of DB_URL"]
    : [];
  const { tls, socket } = address;
  if (socket !== undefined || isLoopbackHost(new URL(url))) return unused;
  if (tls.mode === "disable")
    return [...unused, "DB_URL has no sslmode=verify-full: its password, and every row, travel in the clear"];
  return tls.mode === "require"
    ? [...unused, "DB_URL has sslmode=require, which takes any certificate: verify-full knows the server by its own"]
    : unused;
}

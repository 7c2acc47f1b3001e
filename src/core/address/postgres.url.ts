import { hostOf, percentDecoded } from "./url.parts.ts";

const modes = ["disable", "require", "verify-full"] as const;
export type TlsMode = (typeof modes)[number];

/** The location of a PostgreSQL server, and the user and database to log in with. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  /** The folder of the server's Unix socket, used instead of the host. */
  readonly socket: string | undefined;
  readonly user: string;
  readonly password: string;
  readonly name: string;
  /** Whether a pooler such as PgBouncer stands before the server, which may give each transaction another of its connections. */
  readonly pooler: boolean;
  readonly tls: {
    readonly mode: TlsMode;
    /** Whether the URL names the mode. */
    readonly stated: boolean;
    /** The file of certificates to trust in place of the system's. */
    readonly rootCertificate: string | undefined;
  };
}

const known: ReadonlySet<string> = new Set(["sslmode", "sslrootcert", "host", "pooler"]);
const defaultPort = 5432;
const example = "postgres://user:password@host:5432/name";
const encoding = ", special characters of the password percent-encoded (@ as %40, / as %2F, % as %25)";

/**
 * Reads `postgres://user:password@host:port/name?sslmode=verify-full`. Returns a complaint, which repeats no part of the URL, when it is
 * wrong. TLS modes that fall back to plain text, or that accept any certificate of an authority, are refused.
 */
export function readPostgresUrl(text: string): PostgresAddress | string {
  const [, authority = ""] = /^postgres(?:ql)?:\/\/([^/?#]*)/.exec(text) ?? [];
  if (authority.slice(authority.lastIndexOf("@") + 1).includes(","))
    return "must name one host: before several servers stands a proxy that leads to the one that takes writes";
  const url = URL.parse(text);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) return `must be a URL such as ${example}${encoding}`;
  const [user, password, name] = [url.username, url.password, url.pathname.slice(1)].map(percentDecoded);
  if (user === undefined || password === undefined || name === undefined)
    return `has a % that encodes no character${encoding}`;
  if (user === "") return "must name a user";
  if (name === "" || name.includes("/")) return `must name a database: ${example}${encoding}`;
  if ([...url.searchParams.keys()].some((key) => !known.has(key)) || url.hash !== "")
    return `knows only ${[...known].join(", ")} after the ?`;
  const socket = url.searchParams.get("host") ?? undefined;
  if (socket !== undefined && !socket.startsWith("/"))
    return "must name the folder of a Unix socket after host=, such as /run/postgresql";
  const stated = url.searchParams.get("sslmode");
  const mode = modes.find((each) => each === stated);
  if (stated !== null && mode === undefined) return `must have sslmode ${modes.join(", ")}`;
  const rootCertificate = url.searchParams.get("sslrootcert") ?? undefined;
  if (rootCertificate !== undefined && mode !== "verify-full")
    return "has sslrootcert, which needs sslmode=verify-full";
  const pooler = url.searchParams.get("pooler") ?? "false";
  if (pooler !== "true" && pooler !== "false") return "must have true or false after pooler=";
  return {
    host: hostOf(url),
    port: url.port === "" ? defaultPort : Number(url.port),
    socket,
    user,
    password,
    name,
    pooler: pooler === "true",
    tls: { mode: mode ?? "disable", stated: mode !== undefined, rootCertificate },
  };
}

import { DatabaseUnavailable } from "../index.ts";

/** SQLSTATE of an idle-in-transaction timeout. */
export const leftAlone = "25P03";

/** SQLSTATE of a write that the server refuses because it only reads. */
export const readOnly = "25006";

/** Codes of the TLS library. The first that fits counts. */
const wordsOfCertificates = [
  [/ALTNAME/, "is for another host than DB_URL names"],
  [/EXPIRED/, "has expired"],
  [/NOT_YET_VALID/, "is not valid yet, or the clock of this host is behind"],
  [
    /SELF_SIGNED|ISSUER|VERIFY_LEAF/,
    "is of an authority that is not trusted: name the file of that authority by sslrootcert in DB_URL",
  ],
  [/CERT|SIGNATURE/, "was refused"],
] as const;

/** What to do where a pooler was not reckoned with. */
export const forPoolers = "add pooler=true to DB_URL, after the ?";
const preparedByOthers = `a pooler mixes up the statements of its clients: ${forPoolers}`;

/** Poolers have one code for everything, so their texts tell it apart. */
const protocolViolation = "08P01";
const wordsOfPoolers = [
  [/^unsupported startup parameter/, `a pooler stands before it: ${forPoolers}`],
  [/authentication failed|no such user/, "the pooler refused the user or the password"],
  [/^(?:no such database|database ".*" does not exist)/, "the pooler knows no database of that name"],
  [/^no more connections allowed/, "the pooler has no connection left: see its max_client_conn, and DB_POOL"],
  [
    /^(?:query_wait_timeout|client_login_timeout|pgbouncer cannot connect|server login has been failing)/,
    "the pooler does not reach the server",
  ],
] as const;

// Codes of Bun, and SQLSTATE codes of the server or their first characters. The first that fits counts.
const words = [
  ["42P05", preparedByOthers],
  ["26000", preparedByOthers],
  ["ERR_POSTGRES_CONNECTION_REFUSED", "nothing listens at its address, or the name of its host is not known"],
  ["ERR_POSTGRES_CONNECTION_TIMEOUT", "it does not answer"],
  [
    "ERR_POSTGRES_CONNECTION_FAILED",
    "it closed the connection before that was set up; a server or proxy that speaks TLS alone wants sslmode=verify-full in DB_URL",
  ],
  ["ERR_POSTGRES_CONNECTION_CLOSED", "the connection was lost"],
  ["ERR_POSTGRES_TLS_NOT_AVAILABLE", "the server offers no TLS, which sslmode in DB_URL asks for"],
  ["ERR_POSTGRES_TLS", "TLS could not be set up"],
  ["ERR_POSTGRES_UNSUPPORTED_AUTH", "it asks for a kind of login that is not supported"],
  ["ERR_POSTGRES_UNKNOWN_AUTH", "it asks for a kind of login that is not supported"],
  ["ERR_POSTGRES_SASL", "the login failed: the server could not prove that it knows the password"],
  ["ERR_POSTGRES_INVALID_SERVER", "the login failed: the server could not prove that it knows the password"],
  ["ERR_POSTGRES_UNEXPECTED", "what answers at its address does not speak as PostgreSQL does"],
  ["ERR_POSTGRES_INVALID_MESSAGE", "what answers at its address does not speak as PostgreSQL does"],
  ["ERR_POSTGRES_EXPECTED", "the connection was lost"],
  ["EPROTO", "TLS could not be set up"],
  ["28P01", "the user or the password was refused"],
  ["28", "the server lets this user or address not in, or only over TLS (pg_hba.conf)"],
  ["3D", "the server has no database of that name: make it with createdb"],
  ["42P01", "a table is missing: run the migrate command"],
  ["42501", "the user of DB_URL lacks a right that is needed: make it the owner of the database"],
  ["53300", "the server has no connection left: see max_connections and DB_POOL"],
  ["53100", "the disk of the server is full"],
  ["53", "the server has no memory or room left"],
  [readOnly, "the server only reads: it is a standby, or default_transaction_read_only is set"],
  [leftAlone, "the transaction was left alone for too long"],
  ["57P03", "the server is starting up or shutting down"],
  ["57P", "the server is shutting down"],
  ["57014", "a statement took too long"],
  ["55P03", "another transaction holds a lock"],
  ["40", "other transactions are in the way"],
  ["58", "the server reports an input/output error"],
  ["XX", "the server reports that its data is damaged"],
  ["08", "the connection was lost"],
] as const;

/** The answer to a commit did not arrive: nobody knows whether it was made, so it is not repeated. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super("the connection was lost during a commit: whether it was made is not known", { cause });
    this.name = "CommitUnknown";
  }
}

/** Returns whether the server has sent the error over a connection that goes on. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof Bun.SQL.PostgresError && error.errno !== undefined && error.severity === "ERROR";

/** Returns whether it may be that nothing gets out to the server. One that refuses a connection was reached. */
export const isUnreached = (error: unknown): boolean =>
  /^(?:ERR_POSTGRES_CONNECTION_(?!REFUSED)|E(?!CONNREFUSED)[A-Z]+$)/.test(codeOf(error)) ||
  error instanceof DatabaseUnavailable;

/** Returns the SQLSTATE where the server has answered, otherwise the code of Bun or of the TLS library. */
export function codeOf(error: unknown): string {
  if (error instanceof Bun.SQL.PostgresError && error.errno !== undefined) return error.errno;
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/**
 * Turns an error that an operator can do something about into DatabaseUnavailable in plain words. Any other error keeps what names a place
 * in the program: its code, and the constraint. The server's own text and details hold values of rows, so they are dropped.
 */
export function translate(name: string, error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return unavailable(name, error.message);
  if (error instanceof CommitUnknown) return unavailable(name, error.message, codeOf(error.cause));
  const code = codeOf(error);
  const ofPooler =
    code === protocolViolation ? wordsOfPoolers.find(([text]) => text.test(messageOf(error))) : undefined;
  const known = ofPooler ?? words.find(([prefix]) => code.startsWith(prefix));
  if (known !== undefined) return unavailable(name, known[1], code);
  if (error instanceof TypeError && error.message.includes("caFile"))
    return unavailable(name, "the file that sslrootcert in DB_URL names can't be read");
  const refusal = wordsOfCertificates.find(([codes]) => codes.test(code));
  if (refusal !== undefined) return unavailable(name, `its certificate ${refusal[1]}`, code);
  // A code of the operating system, such as ECONNRESET where a server dies while TLS is being set up.
  if (/^E[A-Z]+$/.test(code)) return unavailable(name, "the connection was lost or could not be made", code);
  return error instanceof Bun.SQL.PostgresError ? refused(name, code, error) : error;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "");

const unavailable = (name: string, why: string, code = ""): DatabaseUnavailable =>
  new DatabaseUnavailable(`database "${name}": ${why}${code === "" ? "" : ` (${code})`}`);

/** In the class "syntax error or access rule violation" (42) the server's text is about the statement, which is the program's own. */
function refused(name: string, code: string, { message, constraint, table }: Bun.SQL.PostgresError): Error {
  const detail = code.startsWith("42") ? message : [table, constraint].filter((part) => part !== undefined).join(" ");
  return new Error(`database "${name}" refused a statement: ${code}${detail === "" ? "" : ` ${detail}`}`);
}

import { Database } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { connectToServer, type Connection, engine } from "./engine.ts";
import type { Value } from "./postgres.sync.ts";

const timestamps = {
  users: ["created_at", "email_verified_at", "pending_email_since"],
  auth_identities: ["linked_at", "last_login_at"],
  auth_totp: ["created_at", "confirmed_at"],
  auth_passkeys: ["created_at", "last_used_at"],
  auth_reservations: ["expires_at"],
  auth_sessions: ["created_at", "last_seen_at", "expires_at", "rotated_at", "revoked_at", "proved_at"],
  auth_grants: ["created_at", "requested_at", "expires_at", "redeemed_at", "voided_at"],
  auth_invitations: ["created_at", "invited_at", "expires_at", "withdrawn_at", "accepted_at"],
  auth_invitation_tokens: ["created_at", "expires_at"],
  auth_challenges: ["created_at", "expires_at"],
  auth_impersonations: ["created_at", "expires_at"],
  auth_passkey_answers: ["expires_at"],
  services: ["created_at"],
  mails: ["requested_at", "changed_at"],
  jobs: ["created_at", "available_at", "retry_until"],
  auth_attempts: ["window_started_at", "expires_at"],
  oauth_states: ["created_at", "expires_at", "consumed_at"],
} as const;

/**
 * Opens the database under test as an operator or a thief sees it, over a separate connection, which the caller closes. Every test that
 * reads or changes rows beside the service does so through this. Answers come at once, without a promise. The path of a server's database
 * is its URL.
 */
export function openRows(path: string) {
  const isServer = path.startsWith("postgres:");
  const { ask, close, texts, files } = isServer ? connectToServer(path) : (engine.connect(path) ?? connectToFile(path));
  const all = <Row = Record<string, Value>>(sql: string, ...params: Value[]): Row[] => ask(sql, params).rows;
  /** Returns the first row, or one without columns if there is none. */
  const get = (sql: string, ...params: Value[]): Record<string, Value> => all(sql, ...params)[0] ?? {};

  return {
    all,
    get,
    run: (sql: string, ...params: Value[]): number => ask(sql, params).changes,
    count: (from: string, ...params: Value[]): number =>
      Number(get(`select count(*) as n from ${from}`, ...params)["n"]),

    /** Returns every table with the names of its columns. */
    tables(): ReadonlyMap<string, readonly string[]> {
      const columns = all<{ name: string; column: string }>(texts.columns);
      return new Map(
        [...Map.groupBy(columns, ({ name }) => name)].map(([name, of]) => [name, of.map(({ column }) => column)]),
      );
    },

    /** Returns all stored data, as a thief of the files or a dump gets it. */
    everything(): string {
      const kept = files.filter((file) => existsSync(file)).map((file) => readFileSync(file).toString("latin1"));
      if (files.length > 0) return kept.join("\n");
      return [...this.tables().keys()].map((name) => JSON.stringify(all(`select * from "${name}"`))).join("\n");
    },

    /** SQL that orders rows of the audit log by their commit. */
    insertion: texts.insertion,

    /** Refuses rows for which the condition about `new` holds, until disposed of. */
    refuseInserts(table: string, condition: string): Disposable {
      for (const sql of texts.refuseInserts("refused_by_test", table, condition)) ask(sql, []);
      return { [Symbol.dispose]: () => void ask(texts.acceptInserts("refused_by_test", table), []) };
    },

    /** Keeps everybody else from writing, until disposed of. */
    holdWrites(): Disposable {
      for (const sql of texts.holdWrites) ask(sql, []);
      return { [Symbol.dispose]: () => void ask("rollback", []) };
    },

    /** Ages every row of auth by that time. Tokens held by clients stay as they are. */
    letPass(ms: number): void {
      for (const [table, columns] of Object.entries(timestamps)) {
        ask(
          `update ${table} set ${columns.map((column) => `${column} = ${column} - ${Math.round(ms)}`).join(", ")}`,
          [],
        );
      }
    },

    /** Marks the person's address as proven, as if the mailed link had been opened. */
    prove: ({ id }: { readonly id: string }): number =>
      ask("update users set email_verified_at = created_at where id = ?", [id]).changes,

    /** Forgets failed attempts. */
    forgive: (): number => ask("delete from auth_attempts", []).changes,

    close,
    [Symbol.dispose]: close,
  };
}

function connectToFile(path: string): Connection {
  const database = new Database(path, { readwrite: true, create: false });
  database.run("pragma busy_timeout = 5000");
  database.run("pragma foreign_keys = on");
  return {
    files: ["", "-wal"].map((suffix) => `${path}${suffix}`),
    texts: {
      insertion: "rowid",
      refuseInserts: (name, table, condition) => [
        `create trigger ${name} before insert on ${table} when ${condition} begin select raise(abort, 'no room'); end`,
      ],
      acceptInserts: (name) => `drop trigger ${name}`,
      columns: `select t.name, c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`,
      holdWrites: ["begin immediate"],
    },
    ask(sql: string, params: Value[]) {
      const statement = database.query<never, Value[]>(sql);
      if (statement.columnNames.length > 0) return { rows: statement.all(...params), changes: 0 };
      return { rows: [], changes: statement.run(...params).changes };
    },
    close: () => database.close(),
  };
}

export type Rows = ReturnType<typeof openRows>;

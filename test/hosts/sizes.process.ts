import { SQL } from "bun";
import { calm, createPeople } from "../support/auth.ts";
import { startPostgres } from "../support/postgres.ts";
import { startTarget } from "../support/target.ts";

// `bun test/hosts/sizes.process.ts 300000`: measures how many bytes a user, a session and an entry of the audit log take on Postgres, with
// indexes. The service makes one of each, and copies of it are then inserted in the order in which the service would make them.
const count = Number(process.argv[2] ?? 300_000);
const agent =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/** Returns SQL for a version 7 UUID in the order of `n`, which contains the kind of row. */
const id = (kind: number): string =>
  `'01a2038c-' || substr(lpad(to_hex(n), 8, '0'), 1, 4) || '-7' || substr(lpad(to_hex(n), 8, '0'), 5, 3) || '-8${kind}' || substr(md5('${kind}' || n), 1, 2) || '-' || substr(md5(n || '${kind}'), 1, 12)`;
const name = "substr(md5('name' || n), 1, 12)";
const changes = {
  users: {
    id: id(1),
    username: name,
    username_key: name,
    display_name: name,
    display_name_key: name,
    email: `${name} || '@example.com'`,
    email_key: `${name} || '@example.com'`,
    email_verified_at: "created_at",
  },
  auth_sessions: {
    id: id(2),
    user_id: id(1),
    user_agent: `'${agent}'`,
    ip_address: "'203.0.113.77'",
    secret_hash: "md5('a' || n) || md5('b' || n)",
    last_seen_at: "last_seen_at + n",
    expires_at: "expires_at + n",
  },
  audit_events: {
    id: id(3),
    actor_user_id: id(1),
    subject_user_id: id(1),
    session_id: id(2),
    user_agent: `'${agent}'`,
    address: "'203.0.113.77'",
    at: "at + n",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

const postgres = await startPostgres();
const { url } = await postgres.createDatabase();
const env = { ...calm, DB_DRIVER: "postgres", DB_URL: url };
const target = await startTarget({ env, roles: ["http"], ownProcess: true });
await createPeople(target.url).register("ada");
await target.stop();

await using sql = new SQL(url, { max: 1 });
// Triggers are off: those that count entries of the audit log, for example, change no size.
await sql.unsafe("set session_replication_role = replica");
for (const [table, changed] of Object.entries(changes)) {
  const columns = await sql.unsafe<{ readonly name: string }[]>(
    `select column_name as name from information_schema.columns where table_name = '${table}' order by ordinal_position`,
  );
  const replacing = new Map<string, string>(Object.entries(changed));
  const values = columns.map((column) => replacing.get(column.name) ?? column.name);
  const names = columns.map((column) => column.name).join(", ");
  await sql.unsafe(
    `insert into ${table} (${names}) select ${values.join(", ")} from (select * from ${table} limit 1) as one, generate_series(1, ${count}) as n`,
  );
  const [size] = await sql.unsafe<{ readonly rows: string; readonly all: string }[]>(
    `select pg_relation_size('${table}') / ${count} as rows, pg_total_relation_size('${table}') / ${count} as all`,
  );
  process.stdout.write(
    `${table}: ${size?.all} bytes each, ${size?.rows} of them in the table and the rest in its indexes\n`,
  );
}
await postgres.stop();

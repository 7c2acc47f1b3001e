import { Database } from "bun:sqlite";
import type { SQL } from "bun";

const million = 1_000_000;

/** An id of the shape that accounts have, in the order in which they were made. */
const id = (kind: number, number: string): string => `'0198a0b${kind}-0000-7000-8000-0000' || (10000000 + ${number})`;

const rows = (count: number): string =>
  `with recursive n (i) as (select cast(1 as bigint) union all select i + 1 from n where i < ${count})`;

const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const someone = id(0, `(i * 7919) % ${million} + 1`);

/**
 * Statements for both databases that fill the tables of 0.2.0: a million accounts with a session each, two million rows of the audit log
 * and links to a provider for every fifth. A day has about 2,000 new accounts.
 */
const millionAccounts: readonly string[] = [
  `insert into users (id, username, username_key, email, email_key, display_name, display_name_key, password_hash, active, email_verified_at,
     last_login_at, last_seen_at, locale, timezone, created_at, updated_at)
   ${rows(million)}
   select ${id(0, "i")}, 'person' || (10000000 + i), 'person' || (10000000 + i), 'person' || (10000000 + i) || '@example.test',
     'person' || (10000000 + i) || '@example.test', 'Person ' || (10000000 + i), 'person ' || (10000000 + i),
     '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g', 1,
     case when i % 10 = 0 then null else 1700000000000 + i * 50000 end, 1750000000000 + i * 20000,
     1750000000000 + (i * 7919) % ${million} * 20000, 'en', 'Europe/Berlin', 1700000000000 + i * 50000, 1700000000000 + i * 50000 from n`,
  `insert into auth_sessions (id, user_id, secret_hash, generation, remembered, user_agent, ip_address, created_at, last_seen_at, expires_at, proved_at)
   ${rows(million)}
   select ${id(1, "i")}, ${someone}, '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', 1, 1, '${agent}', '203.0.113.' || (i % 250),
     1790000000000 + i, 1790000000000 + i, 1990000000000 + i, 1790000000000 + i from n`,
  `insert into audit_events (id, at, app, action, outcome, actor, actor_user_id, subject_user_id, session_id, address, user_agent, request_id, count)
   ${rows(2 * million)}
   select ${id(2, "i")}, 1790000000000 + i * 1000, 'app', 'auth.logged-in', 'success', 'user', ${someone}, ${someone},
     ${id(1, `i % ${million}`)}, '203.0.113.' || (i % 250), '${agent}', ${id(3, "i")}, 1 from n`,
  `insert into auth_identities (id, user_id, provider, issuer, subject, email, username, linked_at)
   ${rows(million / 5)}
   select ${id(4, "i")}, ${id(0, "i")}, 'github', 'https://github.com', '' || i, 'person' || (10000000 + i) || '@example.test', 'p' || i,
     1790000000000 from n`,
];

/** Fills a file of SQLite that has the tables of 0.2.0. */
export function fillFile(path: string): void {
  using database = new Database(path);
  for (const pragma of ["synchronous = off", "cache_size = -400000"]) database.run(`pragma ${pragma}`);
  for (const statement of millionAccounts) database.run(statement);
  database.run("pragma wal_checkpoint(truncate)");
}

/** Fills a database of PostgreSQL that has the tables of 0.2.0. */
export async function fillServer(sql: SQL): Promise<void> {
  for (const statement of millionAccounts) await sql.unsafe(statement);
  // What the server does by itself sooner or later.
  await sql.unsafe("vacuum analyze");
}

import { Database } from "bun:sqlite";
import { hash } from "@node-rs/argon2";
import { foldedName } from "../../src/auth/user/identifiers.ts";
import { accountKey, nameKeys } from "../../src/auth/pressure/counters.ts";
import { hour } from "../../src/core/clock.ts";
import { argon2Parameters } from "./population.ts";

/** Numbers of rows. */
export interface Crowd {
  readonly users: number;
  readonly sessions: number;
  readonly events: number;
}

export const crowd: Crowd = { users: 1_000_000, sessions: 2_000_000, events: 10_000_000 };
const password = "a garden of forking paths";
/** The account under constant attack, and how many rows of the audit log concern it. */
export const attacked = { index: 424_242, events: 50_000 };

const first =
  "Ada Grace Émilie Zoë Søren Łukasz Øyvind Ünal Иван Ольга Δημήτρης 花子 太郎 Nguyễn İpek Maria João José Anna Lena Max Paul Emma Mia Noah Liam Olivia Ava Sophia Lucas".split(
    " ",
  );
const last =
  "Lovelace Hopper Straße Müller Öztürk Ångström Žižek García Fernández O’Brien Smith Jones Brown Петров Παπαδόπουλος 山田 Trần Şahin Weiß Çelik Kowalski Novák Horváth Popescu Andersen Virtanen Rossi Dubois Silva Meyer".split(
    " ",
  );

const table = (name: string, values: readonly string[]): string =>
  `create temp table ${name} as select key as i, value from json_each('${JSON.stringify(values).replaceAll("'", "''")}')`;
/** Returns SQL for UUIDv7s in the order of creation, as in rows that came one after the other. */
const uuid = (prefix: string, number: string): string =>
  `printf('${prefix}-%04x-7000-8000-%012x', (${number}) >> 16, ${number})`;
export const userId = (index: number): string =>
  `01980000-${(index >> 16).toString(16).padStart(4, "0")}-7000-8000-${index.toString(16).padStart(12, "0")}`;
const numbers = (count: number): string =>
  `with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${count})`;

interface Kept {
  readonly sql: string;
}

/** Works without indexes and triggers, and restores them afterwards: keeping them up row by row costs more than making them once. */
function without(database: Database, tables: readonly string[], work: () => void): void {
  const kept = database
    .query<Kept & { type: string; name: string }, []>(
      `select type, name, sql from sqlite_schema where type in ('index', 'trigger') and sql is not null
       and tbl_name in (${tables.map((name) => `'${name}'`).join()})`,
    )
    .all();
  for (const { type, name } of kept) database.run(`drop ${type} ${name}`);
  work();
  for (const { sql } of kept) database.run(sql);
}

/**
 * Fills a migrated database. Of the users, a thousandth is disabled, a tenth has no proven address, a third has roles, and 2,000 are
 * locked. Half of the sessions have expired. The rows of the audit log lie within a year, ten for each account.
 */
export async function fill(path: string, { users, sessions, events }: Crowd, now = Date.now()): Promise<void> {
  const database = new Database(path, { readwrite: true, strict: true });
  for (const pragma of [
    "journal_mode = delete",
    "journal_mode = off",
    "synchronous = off",
    "cache_size = -1000000",
    "temp_store = memory",
  ])
    database.run(`pragma ${pragma}`);
  database.run(table("firsts", first));
  database.run(table("lasts", last));
  database.run(table("folded_firsts", first.map(foldedName)));
  database.run(table("folded_lasts", last.map(foldedName)));
  const year = 365 * 24 * hour;
  const passwordHash = await hash(password, argon2Parameters);
  without(database, ["users", "auth_sessions", "audit_events", "auth_attempts"], () => {
    database.run(
      `${numbers(users)}
       insert into users (id, username, username_key, email, email_key, display_name, display_name_key, password_hash, active,
         email_verified_at, last_login_at, last_seen_at, created_at, updated_at, roles)
       select ${uuid("01980000", "n.i")}, 'person' || n.i, 'person' || n.i,
         printf('%05x.%d@example.org', n.i * 2654435761 % 1048576, n.i), printf('%05x.%d@example.org', n.i * 2654435761 % 1048576, n.i),
         f.value || ' ' || l.value, ff.value || ' ' || fl.value, ?1, n.i % 1000 <> 7,
         case when n.i % 10 = 3 then null else ?2 end, ?2, ?2, ?2 - (${users} - n.i) * 30000, ?2,
         case when n.i % 200000 = 1 then 'admin' when n.i % 100 = 4 then 'editor member' when n.i % 3 = 0 then 'member' else '' end
       from n join firsts f on f.i = n.i % ${first.length} join lasts l on l.i = n.i / 7 % ${last.length}
         join folded_firsts ff on ff.i = f.i join folded_lasts fl on fl.i = l.i`,
      [passwordHash, now],
    );
    database.run(
      `${numbers(sessions)}
       insert into auth_sessions (id, app, user_id, secret_hash, generation, remembered, user_agent, ip_address, created_at, proved_at,
         last_seen_at, expires_at)
       select ${uuid("01990000", "n.i")}, 'app', ${uuid("01980000", `n.i % ${users}`)}, 'hash of ' || n.i, 1, 1,
         'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', '198.51.' || (n.i % 199) || '.' || (n.i % 251),
         ?1 - ${hour}, ?1 - ${hour}, ?1, ?1 + case when n.i < ${users} then 720 else -1 end * ${hour} from n`,
      [now],
    );
    insertEvents(database, { users, events, now, year });
    insertLocks(database, users, now);
  });
  database.run("pragma journal_mode = wal");
  database.close(true);
}

function insertEvents(
  database: Database,
  { users, events, now, year }: { users: number; events: number; now: number; year: number },
): void {
  const subject = (number: string): string =>
    `case when ${number} % ${Math.floor(events / attacked.events)} = 0 then ${attacked.index} else ${number} * 611953 % ${users} end`;
  database.run(
    `${numbers(events)}, e (i, subject, kind, at) as (select i, ${subject("i")}, i % 20, ?1 - ${year} + i * ${Math.floor(year / events)} from n)
     insert into audit_events (id, at, app, action, outcome, reason, actor, actor_user_id, subject_user_id, session_id, address, user_agent,
       request_id, count)
     select ${uuid("019a0000", "e.i")}, e.at, 'app',
       case when e.subject = ${attacked.index} or e.kind = 0 then 'auth.login-failed' when e.kind = 1 then 'auth.session-revoked' when e.kind = 2 then 'auth.registered'
         when e.kind = 3 then 'auth.password-changed' when e.kind = 4 and e.i % 40 = 4 then 'auth.locked' else 'auth.logged-in' end,
       case when e.subject = ${attacked.index} or e.kind = 0 or (e.kind = 4 and e.i % 40 = 4) then 'failure' else 'success' end,
       case when e.subject = ${attacked.index} or e.kind = 0 then 'wrong_password' end,
       case when e.subject = ${attacked.index} or e.kind = 0 then 'anonymous' else 'user' end,
       case when e.subject = ${attacked.index} or e.kind = 0 then null else ${uuid("01980000", "e.subject")} end,
       ${uuid("01980000", "e.subject")}, case when e.kind = 0 then null else ${uuid("01990000", "e.subject")} end,
       '198.51.' || (e.i % 199) || '.' || (e.i % 251), 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
       'r' || e.i, 1 from e`,
    [now],
  );
}

/** Inserts locks as wrong passwords leave them. SQL can't make their keys, which are hashes. */
function insertLocks(database: Database, users: number, now: number): void {
  const lock = database.prepare(
    `insert into auth_attempts (attempt_key, attempts, failures, window_started_at, expires_at, locks_user, locks_by)
     values (?1, ?2, ?2, ?3, ?4, ?5, ?6) on conflict do nothing`,
  );
  database.transaction(() => {
    for (let locked = 0; locked < Math.min(2_000, users); locked += 1) {
      const index = (locked * 611_953) % users;
      const id = userId(index);
      const [name = ""] = nameKeys({ id, usernameKey: `person${index}`, emailKey: "" });
      lock.run(name, 5, now, now + 720 * hour, id, "name");
      if (locked % 20 === 0) lock.run(accountKey({ id }), 100, now, now + 8_000 * hour, id, "account");
    }
  })();
}

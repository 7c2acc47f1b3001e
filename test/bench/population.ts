import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { hour } from "../../src/core/clock.ts";
import { accessTokens, migrate, refreshTokens } from "./gatehouse.ts";
import { flushToDisk, type Workspace } from "./workspace.ts";

/** Parameters as in src/auth/password.hash.ts, so that a login does not store a new hash. */
export const argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A migrated database with `size` users, each with one session. Users and sessions are known by number, from 0. */
export interface Population {
  readonly path: string;
  readonly size: number;
  readonly credentials: (index: number) => { readonly login: string; readonly password: string };
  readonly accessCookie: (index: number) => Promise<string>;
  /** Returns the first refresh cookie of a session, before any rotation. */
  readonly refreshCookie: (index: number) => string;
  /** Returns sessions scattered over all of them, none twice: a session that one part rotates is lost to the others. */
  readonly takeSessions: (count: number) => number[];
}

export const password = "a garden of forking paths";
const rowsPerTransaction = 100_000;

export async function createPopulation(workspace: Workspace, size: number): Promise<Population> {
  const path = workspace.path(`${size}.db`);
  await migrate(workspace, path);
  insertRows(path, size, await hash(password, argon2Parameters));
  flushToDisk(path);
  return { path, ...peopleOf(size, username) };
}

/** Returns what `size` people have whose rows have the ids, secrets and password of this file. */
export function peopleOf(size: number, nameOf: (index: number) => string): Omit<Population, "path"> {
  let taken = 0;
  return {
    size,
    credentials: (index) => ({ login: nameOf(index), password }),
    async accessCookie(index) {
      const proof = { cameBy: null, factor: null, provedAt: Date.now() };
      const session = { id: sessionId(index), expiresAt: Date.now() + 24 * hour, ...proof };
      return `auth_access=${await accessTokens.sign({ id: userId(index), username: nameOf(index) }, session)}`;
    },
    refreshCookie: (index) => `auth_refresh=${refreshTokens.format(sessionId(index), 1, secret(index))}`,
    takeSessions(count) {
      const first = taken;
      taken += count;
      if (taken > size) throw new Error(`there are no ${count} sessions left of ${size}`);
      return scattered(taken, size).slice(first);
    },
  };
}

/** Returns `count` different numbers below `size`, a power of ten, scattered over the range. */
export const scattered = (count: number, size: number): number[] =>
  Array.from({ length: count }, (_, index) => (index * 611_953) % size);

const digits = (index: number): string => index.toString(16).padStart(12, "0");
// UUIDv7s are in the order of creation, as in rows that came one after the other.
export const userId = (index: number): string => `01980000-${digits(index).slice(4, 8)}-7000-8000-${digits(index)}`;
export const sessionId = (index: number): string => `01990000-${digits(index).slice(4, 8)}-7000-8000-${digits(index)}`;
const username = (index: number): string => `user${index}`;
const sha256 = (text: string) => createHash("sha256").update(text);
export const secret = (index: number): string => sha256(`session ${index}`).digest("base64url");

function insertRows(path: string, size: number, passwordHash: string): void {
  const database = new Database(path, { strict: true });
  for (const pragma of ["journal_mode = off", "synchronous = off", "cache_size = -400000"])
    database.run(`pragma ${pragma}`);
  const user = database.prepare(
    `insert into users (id, username, username_key, email, email_key, display_name, password_hash, created_at, updated_at)
     values (?1, ?2, ?2, ?3, ?3, 'Ada', ?4, ?5, ?5)`,
  );
  const session = database.prepare(
    `insert into auth_sessions (id, user_id, secret_hash, generation, remembered, user_agent, ip_address, created_at, last_seen_at, expires_at)
     values (?1, ?2, ?3, 1, 1, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', '127.0.0.1', ?4, ?4, ?5)`,
  );
  const now = Date.now();
  for (let first = 0; first < size; first += rowsPerTransaction) {
    const end = Math.min(size, first + rowsPerTransaction);
    database.transaction(() => {
      for (let index = first; index < end; index += 1) {
        user.run(userId(index), username(index), `${username(index)}@example.org`, passwordHash, now);
      }
      for (let index = first; index < end; index += 1) {
        session.run(sessionId(index), userId(index), sha256(secret(index)).digest("hex"), now, now + 720 * hour);
      }
    })();
  }
  database.run("pragma journal_mode = wal");
  database.close(true);
}

import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { freshUser } from "../../src/auth/user/user.row.ts";
import { minute } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import type { Database, SqlValue, Statement } from "../../src/drivers/database/index.ts";
import { memoryFolder, temporaryDatabase } from "../support/database.ts";
import { lockOrderComplaint } from "../support/lock.order.ts";
import { violations } from "./claims.ts";
import { createHistory, printHistory } from "./history.ts";
import { createPlayer, type Account, type Client } from "./player.ts";
import type { Program } from "./program.ts";
import { createService } from "./service.calls.ts";
import { createServices, quickHash } from "./service.inprocess.ts";
import { createTurns, type Move } from "./turns.ts";

/** Lets another task come in between before each call of the database. The call itself is atomic. */
export const yielding = (database: Database, turn: (reads: boolean) => Promise<void>): Database => ({
  ...database,
  async get(sql, params) {
    await turn(true);
    return database.get(sql, params);
  },
  async all(sql, params) {
    await turn(true);
    return database.all(sql, params);
  },
  async run(sql, params, options) {
    await turn(false);
    return database.run(sql, params, options);
  },
  async batch(statements) {
    const complaint = lockOrderComplaint(statements);
    if (complaint !== undefined) throw new Error(complaint);
    await turn(false);
    return database.batch(statements);
  },
});

/** Returns the rows of a table as statements that put them back. */
export async function rowsOf(database: Database, table: string): Promise<Statement[]> {
  const rows = await database.all<Record<string, SqlValue>>(`select * from ${table}`);
  return rows.map((row) => {
    const names = Object.keys(row);
    return {
      sql: `insert into ${table} (${names.join(", ")}) values (${names.map((name) => `$${name}`).join(", ")})`,
      params: row,
    };
  });
}

/**
 * Plays programs against the services of two processes on one database, in an order of steps that is chosen from outside. Each run starts
 * from one account with `sessionsAtStart` sessions, and costs some milliseconds at most.
 */
export async function createInterleaver(sessionsAtStart: number) {
  // A run commits a dozen times, so the database is in memory.
  const temporary = await temporaryDatabase(memoryFolder);
  const { database } = temporary;

  const start = Date.now();
  let now = start;
  const clock = { now: () => now };
  let turns = createTurns(() => 0);
  const processes = [0, 1].map(() =>
    createServices({ database: yielding(database, (reads) => turns.turn(reads)), behind: database, clock }),
  );
  const services = processes.map(createService);
  const [first] = services;
  if (first === undefined) throw new Error("no service");

  const login = "ada@example.test";
  const password = "the password at the start";
  const users = createUserRepository(database);
  const user = { id: newId(), username: "ada", usernameKey: "ada", email: login, emailKey: login, displayName: "Ada" };
  const passwordHash = quickHash(password);
  await database.batch([users.insert(freshUser({ ...user, passwordHash, emailVerifiedAt: 1, createdAt: now }), now)]);
  const opened = await Promise.all(Array.from({ length: sessionsAtStart }, () => first.login(login, password)));
  const granted = await first.requestReset(login);
  const initial = (
    await Promise.all(["users", "auth_sessions", "auth_grants"].map((table) => rowsOf(database, table)))
  ).flat();
  // Rows of other tables go with the users.
  const restore = ["auth_attempts", "jobs", "users"].map((table) => ({ sql: `delete from ${table}` }));

  async function playAlone(program: Program, choose: (waiting: readonly Move[]) => number, turnBeforeEach: boolean) {
    await database.batch([...restore, ...initial]);
    now = start;
    const history = createHistory(() => now);
    const account: Account = { login, password };
    let passwords = 0;
    const clients: Client[] = [];
    history.given({ kind: "register", by: "the start", user: login, newPassword: password }, { outcome: "accepted" });
    for (const answer of opened) history.given({ kind: "login", by: "the start", user: login, password }, answer);
    history.given({ kind: "reset-request", by: "the start", user: login }, granted);
    for (const { session: place } of program) {
      const { opened: session = "", access = "", secret: refresh = "" } = opened[place % opened.length] ?? {};
      clients.push({ name: `client ${clients.length}`, cookies: { session, access, refresh }, grant: granted.grant });
    }
    turns = createTurns(choose);
    const player = createPlayer({
      history,
      account,
      services,
      newPassword: () => `a new password ${++passwords}`,
      pause: async (length) => {
        await turns.turn();
        now += length;
      },
      together: turns.together,
      turn: turnBeforeEach ? turns.turn : undefined,
    });
    await player.run(program, clients);
    await player.close(clients);
    const found = violations(history.operations);
    return found.length === 0 ? "" : `${found.join("\n")}\n\n${printHistory(history.operations)}`;
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    /**
     * Resolves to what was wrong, with the history to read, or to an empty text. A search whose time is over leaves a run behind, which the
     * next one waits for.
     */
    play(...run: Parameters<typeof playAlone>): Promise<string> {
      const played = last.then(() => playAlone(...run));
      last = Promise.allSettled([played]);
      return played;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await last;
      for (const each of processes) await each.close();
      await temporary.dispose();
    },
  };
}

export type Interleaver = Awaited<ReturnType<typeof createInterleaver>>;

/** Pauses that matter: within the grace of a rotation, beyond it, and beyond the rest between writes of `last_seen_at`. */
export const pauses = [4_000, 10_001, minute + 1] as const;

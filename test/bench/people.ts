import { Database } from "bun:sqlite";
import { copyFileSync } from "node:fs";
import { hash } from "@node-rs/argon2";
import { createApp } from "../../src/app/index.ts";
import type { PeopleQuery } from "../../src/auth/index.ts";
import { createSessionRepository } from "../../src/auth/session/session.repository.ts";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { freshUser } from "../../src/auth/user/user.row.ts";
import { build } from "../../src/cli/build.info.ts";
import { loadConfig } from "../../src/config/index.ts";
import { minute, systemClock } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { createLog } from "../../src/observe/log.ts";
import { definitions } from "../support/definitions.ts";
import { count, median, ms, percent, percentile, times, type Findings, type Part } from "./findings.ts";
import { environment, migrate } from "./gatehouse.ts";
import { interleave, latencySummary, medianRatio, processorMs } from "./load.ts";
import { attacked, crowd, fill, userId } from "./people.rows.ts";
import { argon2Parameters } from "./population.ts";
import type { Workspace } from "./workspace.ts";

const asks = 300;
const noise = 1.15;
const rounds = 9;
const actsARound = 400;
const indexes = [
  "users_display_name",
  "users_unfolded",
  "users_disabled",
  "users_unverified",
  "users_roles",
  "auth_attempts_locks",
];

/**
 * Measures lists, searches and the view of a person among a million, and what their indexes cost all other work. GATEHOUSE_PEOPLE names an
 * existing database: making one takes minutes.
 */
export const people: Part = {
  name: "people",
  limitSeconds: 1_800,
  async run({ workspace }) {
    const reads = await measureReads(await crowdOf(workspace));
    const costs = await measureIndexes(workspace);
    return { measures: [...reads.measures, ...costs.measures], raw: [...reads.raw, ...costs.raw] };
  },
};

async function crowdOf(workspace: Workspace): Promise<string> {
  const made = Bun.env["GATEHOUSE_PEOPLE"];
  const path = made ?? workspace.path("people.db");
  if (made === undefined) {
    await migrate(workspace, path);
    await fill(path, crowd);
  }
  // Locks are renewed, since they hold only for minutes.
  const database = new Database(path, { readwrite: true });
  database.run("update auth_attempts set expires_at = ? where locks_by = 'name'", [Date.now() + 10 * minute]);
  database.close();
  return path;
}

const searches = [
  ...["a", "per", "person", "emilie", "ada lovelace", "ИВАН", "山", "0", "straße", "nobody at all"].map((search) => ({
    search,
  })),
  ...(["disabled", "unverified", "locked"] as const).flatMap((state) => [
    { search: "a", state },
    { search: "person1", state },
  ]),
  { search: "person", role: "admin" },
  { search: "ada", role: "member" },
] as const;
const lists = [
  {},
  { state: "disabled" },
  { state: "unverified" },
  { state: "locked" },
  { role: "admin" },
  { role: "member" },
  { role: "member", state: "unverified" },
] as const;

async function measureReads(path: string): Promise<Findings> {
  const loaded = loadConfig({ app: definitions.admin, env: environment(path) });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const log = createLog({ format: "json", level: "error", clock: systemClock });
  const app = await createApp({ definition: definitions.admin, config: loaded.config, build, log });
  const timed = async (read: (turn: number) => Promise<unknown>): Promise<number[]> => {
    const latencies: number[] = [];
    for (let turn = 0; turn < asks; turn += 1) {
      const started = performance.now();
      await read(turn);
      latencies.push(performance.now() - started);
    }
    return latencies;
  };
  const pick = (all: readonly Partial<PeopleQuery>[], turn: number) => all[turn % all.length];
  const kinds = [
    ["a search", 50, (turn: number) => app.people.list({ ...pick(searches, turn), limit: 50 })],
    ["a list", 100, (turn: number) => app.people.list({ ...pick(lists, turn), limit: 50 })],
    ["a person", 100, (turn: number) => app.people.show(userId((turn * 611_953) % crowd.users))],
    [
      `a person with ${count(attacked.events)} rows in the audit log`,
      100,
      () => app.people.show(userId(attacked.index)),
    ],
  ] as const;
  const found = [];
  for (const [what, goal, read] of kinds) found.push({ what, goal, latencies: await timed(read) });
  await app.close();
  return {
    measures: found.map(({ what, goal, latencies }) => ({
      measure: `${what}, of ${count(crowd.users)} accounts: p99`,
      goal: `≤ ${goal} ms`,
      measured: ms(percentile(latencies, 0.99)),
      met: percentile(latencies, 0.99) <= goal,
    })),
    raw: found.map(({ what, latencies }) => {
      const { p50Ms, p99Ms, maxMs } = latencySummary(latencies);
      return `${what}: p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, longest ${ms(maxMs)} of ${count(latencies.length)}`;
    }),
  };
}

/** Compares commits on a database with the indexes and on one without. They do not wait for the disk, which would be most of the time. */
async function measureIndexes(workspace: Workspace): Promise<Findings> {
  const [path, bare] = [workspace.path("indexed.db"), workspace.path("bare.db")];
  await migrate(workspace, path);
  await fill(path, { users: 100_000, sessions: 200_000, events: 100_000 });
  copyFileSync(path, bare);
  const database = new Database(bare);
  for (const index of indexes) database.run(`drop index ${index}`);
  database.close();
  const sides = { with: subject(path), without: subject(bare) } as const;
  const names = ["with", "without"] as const;
  const kinds = ["registration", "login", "guarded request"] as const;
  const findings: { kind: string; added: number; ratio: number }[] = [];
  for (const kind of kinds) {
    const results = await interleave(rounds, names, async (name) => sides[name].act(kind));
    const added = median(results("with").map((millis, round) => millis - (results("without")[round] ?? millis)));
    const ratio = medianRatio(results("with"), results("without"), (millis) => millis);
    findings.push({ kind, added: added / actsARound, ratio });
  }
  await Promise.all(names.map((name) => sides[name].close()));
  const hashMs = await processorMs(() => hash("a password", argon2Parameters));
  const [registration, ...others] = findings;
  const share = (registration?.added ?? 0) / hashMs;
  return {
    measures: [
      {
        measure:
          "processor time that the indexes for lists and searches add to a registration, of that of its Argon2id hash",
        goal: "≤ 1 %",
        measured: percent(share),
        met: share <= 0.01,
      },
      ...others.map(({ kind, ratio }) => ({
        measure: `processor time of the database for a ${kind} with these indexes, over without`,
        goal: "flat within noise",
        measured: times(ratio),
        met: ratio <= noise,
      })),
    ],
    raw: findings.map(
      ({ kind, added, ratio }) =>
        `a ${kind}: ${(added * 1_000).toFixed(1)} µs of the database with the indexes more than without, ${times(ratio)}`,
    ),
  };
}

function subject(path: string) {
  const { database } = createSqliteDatabase({ path, name: "default" });
  const users = createUserRepository(database);
  const sessions = createSessionRepository(database, "app");
  let turn = 0;
  const session = (user: string, now: number) =>
    sessions.insert({
      id: newId(),
      userId: user,
      secretHash: newId(),
      remembered: 0,
      userAgent: "",
      ipAddress: "",
      now,
      expiresAt: now + minute,
      cameBy: "password",
      factor: null,
    });
  const acts = {
    async registration(now: number) {
      const id = newId();
      const names = {
        username: id,
        usernameKey: id,
        email: id,
        emailKey: id,
        displayName: `Ada ${id}`,
        roles: "",
        passwordHash: "",
      };
      const user = freshUser({ id, ...names, lastLoginAt: now, lastSeenAt: now, createdAt: now });
      await database.batch([users.insert(user, now), session(id, now)], { durable: false });
    },
    async login(now: number) {
      const id = userId((turn * 61_195) % 100_000);
      await database.batch([users.seen(id, now), session(id, now)], { durable: false });
    },
    "guarded request": (_now: number): Promise<unknown> =>
      sessions.find(`01990000-0000-7000-8000-${((turn * 61_195) % 60_000).toString(16).padStart(12, "0")}`),
  };
  return {
    /** Resolves to milliseconds of processor time. */
    act: (kind: keyof typeof acts): Promise<number> =>
      processorMs(async () => {
        for (let done = 0; done < actsARound; done += 1) {
          turn += 1;
          await acts[kind](systemClock.now());
        }
      }),
    close: () => database.close(),
  };
}

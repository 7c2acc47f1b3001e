import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createCleanup } from "../../src/app/roles/cleanup.ts";
import { staleAuthRows } from "../../src/auth/cleanup.ts";
import { createCleanupRepository } from "../../src/auth/cleanup.repository.ts";
import { hour } from "../../src/core/clock.ts";
import type { StaleRows } from "../../src/core/module.ts";
import { createLog } from "../../src/observe/log.ts";
import { createStateRepository } from "../../src/oauth/state.repository.ts";
import { agesOf } from "../support/ages.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";

const now = Date.UTC(2026, 5, 1);
const clock = { now: () => now };
let temporary: TemporaryDatabase;
beforeEach(async () => {
  temporary = await temporaryDatabase();
});
afterEach(() => temporary.dispose());

describe("auth:cleanup", () => {
  const states = () => createStateRepository(temporary.database);
  const staleRows = (): readonly StaleRows[] => [
    ...staleAuthRows({ rows: createCleanupRepository(temporary.database, "app"), sessionIdleTtlMs: hour }),
    { name: "expired_oauth_states", deleteSome: states().deleteExpired, count: states().countExpired },
  ];

  /** Runs the cleanup once. Resolves to what it logged. */
  async function clean(stale = staleRows(), signal = new AbortController().signal): Promise<unknown> {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const log = createLog({ format: "json", level: "info", clock, secrets: [], write });
    await createCleanup({ stale, clock, ages: agesOf(clock), log }).schedule.run(signal);
    return JSON.parse(lines.at(-1) ?? "");
  }

  async function keepAttempts(count: number, expiresAt: number): Promise<void> {
    await temporary.database.batch(
      Array.from({ length: count }, (_, number) => ({
        sql: `insert into auth_attempts (attempt_key, attempts, window_started_at, expires_at)
              values ($key, 1, $expiresAt, $expiresAt)`,
        params: { key: `${expiresAt} ${number}`, expiresAt },
      })),
    );
  }
  async function keepState(name: string, expiresAt: number): Promise<void> {
    const state = { stateHash: name, provider: "github", browserHash: "b", codeVerifier: "v", nonce: "n", next: "/" };
    await temporary.database.batch([
      states().insert({
        ...state,
        linkUserId: null,
        linkSessionId: null,
        invitationHash: null,
        profile: null,
        now: expiresAt - 1,
        expiresAt,
      }),
    ]);
  }

  test("logs how many rows of each kind it deleted", async () => {
    await keepAttempts(250, now);
    await keepAttempts(3, now + 1);
    expect(await clean()).toMatchObject({ message: "stale rows deleted", expired_sessions: 0, expired_attempts: 250 });
    expect(await clean()).toMatchObject({ expired_sessions: 0, expired_attempts: 0 });
    expect(await temporary.database.all("select 1 from auth_attempts")).toHaveLength(3);
  });

  test("counts beforehand exactly what it deletes", async () => {
    await keepAttempts(250, now);
    await keepAttempts(3, now + 1);
    await keepState("expired", now);
    await keepState("under way", now + 1);
    const log = createLog({ format: "json", level: "error", clock, secrets: [] });
    const cleanup = createCleanup({ stale: staleRows(), clock, ages: agesOf(clock), log });
    const counts = await cleanup.count();
    expect(counts).toMatchObject({ expired_sessions: 0, expired_attempts: 250, expired_oauth_states: 1 });
    const seen: number[] = [];
    const deleted = await cleanup.deleteAll({
      signal: new AbortController().signal,
      onDeleted: (rows) => void seen.push(rows),
    });
    expect(deleted).toEqual(counts);
    expect(seen.at(-1)).toBe(251);
  });

  test("deletes the sign-ins with a provider that expired, used or not, and no other", async () => {
    await keepState("expired", now);
    await keepState("used", now - hour);
    await keepState("under way", now + 1);
    await temporary.database.run("update oauth_states set consumed_at = 1 where state_hash = 'used'");
    expect(await clean()).toMatchObject({ expired_oauth_states: 2 });
    expect(await temporary.database.all("select state_hash from oauth_states")).toEqual([{ state_hash: "under way" }]);
  });

  test("ends after the step in hand when it is stopped", async () => {
    await keepAttempts(250, now);
    expect(await clean(staleRows(), AbortSignal.abort())).toMatchObject({ expired_attempts: 100 });
  });
});

import { expect, test } from "bun:test";
import { createAttemptRepository, type Counter } from "../../src/auth/pressure/attempt.repository.ts";
import { hour, minute } from "../../src/core/clock.ts";
import { temporaryDatabase } from "../support/database.ts";

// A check looks at the counters before, which keeps most of what is too much away: here the statement stands alone.
test.each(["window", "streak"] as const)(
  "L-03 a full %s takes no charge, however many ask at the same time",
  async (kind) => {
    await using temporary = await temporaryDatabase();
    const attempts = createAttemptRepository(temporary.database);
    const now = Date.UTC(2026, 0, 1);
    const counter: Counter = { key: "ada", kind, limit: 3, durationMs: 15 * minute };
    const charge = async (at = now) =>
      (await temporary.database.batch([{ ...attempts.charge(counter, at), guard: true }])).applied;
    const charged = await Promise.all(Array.from({ length: 10 }, () => charge()));
    expect(charged.filter(Boolean)).toHaveLength(3);
    expect(await charge(now + minute)).toBe(false);
    expect(await charge(now + hour)).toBe(true);
  },
);

import { expect, test } from "bun:test";
import { forecastInWords } from "../../src/cli/commands/database/forecast.ts";

const users = { table: "users", rows: 1_000_000 };

test("a migration that is over at once says nothing beforehand", () => {
  expect(forecastInWords({ dialect: "sqlite", count: 16, seconds: 0.9, tables: [users], longest: undefined })).toEqual(
    [],
  );
});

test("says how long, of which tables, and that no write waits", () => {
  const tables = [
    { table: "audit_events", rows: 2_000_000 },
    users,
    { ...users, table: "a" },
    { ...users, table: "b" },
  ];
  expect(forecastInWords({ dialect: "sqlite", count: 16, seconds: 11.2, tables, longest: undefined })).toEqual([
    "these 16 migrations take about 12 seconds: they go through 2,000,000 rows of audit_events, 1,000,000 rows of users, " +
      "1,000,000 rows of a and others. What serves goes on meanwhile",
    "no write waits for longer than a moment",
  ]);
});

test("says what writes wait for where a file is locked, in minutes where it is that long", () => {
  const longest = { id: "0029_metadata", what: "users_created_at", seconds: 0.65 };
  const [long, locked] = forecastInWords({ dialect: "sqlite", count: 1, seconds: 130, tables: [users], longest });
  expect(long).toStartWith("this migration takes about 3 minutes: it goes through 1,000,000 rows of users. ");
  expect(locked).toBe(
    "SQLite can't build an index in steps: writes wait for one index at a time, about 0.7 seconds for the longest (users_created_at of " +
      "0029_metadata), and longer on a busy host. Reads do not wait",
  );
  const [, longer] = forecastInWords({
    dialect: "sqlite",
    count: 1,
    seconds: 30,
    tables: [users],
    longest: { ...longest, seconds: 7.5 },
  });
  expect(longer).toContain("about 8 seconds for the longest");
  expect(longer).toContain(
    "writes that wait for 5 seconds are refused with 503: choose a quiet hour, or switch maintenance on",
  );
  const [, pooled] = forecastInWords({ dialect: "postgres", count: 1, seconds: 30, tables: [users], longest });
  expect(pooled).toStartWith(
    "indexes are built beside writes only where DB_URL goes to the server itself, and not through a pooler. By this",
  );
});

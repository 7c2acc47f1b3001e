import { describe, expect, test } from "bun:test";
import { loadConfig } from "../../src/config/index.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";

const env = testEnvironment("/nowhere");
function problemsOf(more: Record<string, string>): readonly string[] {
  const loaded = loadConfig({ app: definitions.app, env: { ...env, DB_DRIVER: "postgres", ...more } });
  return loaded.ok ? [] : loaded.problems;
}

const encoding = ", special characters of the password percent-encoded (@ as %40, / as %2F, % as %25)";
const example = `postgres://user:password@host:5432/name${encoding}`;

describe("the URL of a PostgreSQL database", () => {
  test.each([
    "postgres://gatehouse@127.0.0.1/gatehouse",
    "postgresql://gatehouse:p%40ss%2Fword@[::1]:6432/gatehouse?sslmode=disable",
    "postgres://gatehouse:pass@db.example.test/gatehouse?sslmode=require",
    "postgres://gatehouse:pass@pooler.example.test:6432/gatehouse?sslmode=verify-full&pooler=true",
    "postgres://gatehouse:pass@db.example.test/gatehouse?sslmode=verify-full&sslrootcert=/etc/ca.pem",
    "postgres://gatehouse@localhost/gatehouse?host=/run/postgresql",
  ])("%s is taken", (url) => {
    expect(problemsOf({ DB_URL: url })).toEqual([]);
  });

  test.each([
    ["127.0.0.1:5432", `must be a URL such as ${example}`],
    ["mysql://gatehouse@127.0.0.1/gatehouse", `must be a URL such as ${example}`],
    ["postgres://127.0.0.1/gatehouse", "must name a user"],
    ["postgres://gatehouse@127.0.0.1", `must name a database: ${example}`],
    [
      "postgres://gatehouse:pass@db1.example.test,db2.example.test/gatehouse",
      "must name one host: before several servers stands a proxy that leads to the one that takes writes",
    ],
    [
      "postgres://gatehouse:pass@db1.example.test:5432,db2.example.test:5432/gatehouse",
      "must name one host: before several servers stands a proxy that leads to the one that takes writes",
    ],
    ["postgres://gatehouse:a/b@127.0.0.1/gatehouse", `must be a URL such as ${example}`],
    // The host, which libpq lets users leave out, has to be there.
    ["postgres://gatehouse@/gatehouse?host=/run/postgresql", `must be a URL such as ${example}`],
    ["postgres://gatehouse:100%@127.0.0.1/gatehouse", `has a % that encodes no character${encoding}`],
    [
      "postgres://gatehouse@localhost/gatehouse?host=socket",
      "must name the folder of a Unix socket after host=, such as /run/postgresql",
    ],
    ["postgres://gatehouse@127.0.0.1/gatehouse?max=9", "knows only sslmode, sslrootcert, host, pooler after the ?"],
    // The mode `prefer` goes on without TLS where the server offers none.
    ["postgres://gatehouse@127.0.0.1/gatehouse?sslmode=prefer", "must have sslmode disable, require, verify-full"],
    ["postgres://gatehouse@127.0.0.1/gatehouse?pooler=yes", "must have true or false after pooler="],
    [
      "postgres://gatehouse@127.0.0.1/gatehouse?sslmode=require&sslrootcert=/etc/ca.pem",
      "has sslrootcert, which needs sslmode=verify-full",
    ],
  ])("%s is refused by its rule, without the value", (url, complaint) => {
    expect(problemsOf({ DB_URL: url })).toEqual([`DB_URL ${complaint}`]);
  });

  test("driver and URL are set together", () => {
    expect(problemsOf({})).toEqual(["DB_DRIVER=postgres needs DB_URL"]);
    expect(problemsOf({ DB_DRIVER: "sqlite", DB_URL: "postgres://gatehouse@127.0.0.1/gatehouse" })).toEqual([
      "DB_URL is set, and DB_DRIVER is not postgres",
    ]);
  });

  test.each(["0", "65", "many"])("DB_POOL=%s is refused", (pool) => {
    expect(problemsOf({ DB_URL: "postgres://gatehouse@127.0.0.1/gatehouse", DB_POOL: pool })).toEqual([
      "DB_POOL must be a whole number from 1 to 64",
    ]);
  });

  test("a file that is named beside the URL is told, since it holds nothing", () => {
    const url = "postgres://gatehouse:pass@db.example.test/gatehouse?sslmode=verify-full";
    const wordsOf = (more: Record<string, string>): string => {
      const loaded = loadConfig({
        app: definitions.app,
        env: {
          ...env,
          APP_ENV: "staging",
          APP_URL: "https://app.example.test",
          DB_DRIVER: "postgres",
          DB_URL: url,
          ...more,
        },
      });
      return loaded.ok ? loaded.warnings.join() : loaded.problems.join();
    };
    expect(wordsOf({ DB_DATABASE: "/var/lib/gatehouse/app.db" })).toContain("DB_DATABASE names a file");
  });
});

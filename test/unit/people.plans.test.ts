import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { createApp } from "../../src/app/index.ts";
import { build } from "../../src/cli/build.info.ts";
import { loadConfig } from "../../src/config/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/observe/log.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { temporaryDatabase } from "../support/database.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";

/** Returns a database that keeps the text of each statement, and passes everything on. */
function recorded(database: Database, statements: Set<string>): Database {
  return {
    ...database,
    get(sql, params) {
      statements.add(sql);
      return database.get(sql, params);
    },
    all(sql, params) {
      statements.add(sql);
      return database.all(sql, params);
    },
    run(sql, params, options) {
      statements.add(sql);
      return database.run(sql, params, options);
    },
    batch(batch, options) {
      for (const { sql } of batch) statements.add(sql);
      return database.batch(batch, options);
    },
  };
}

const email = "ada@example.test";
const origin = { address: "198.51.100.7", userAgent: "", requestId: "" };

test("R-13 every statement behind lists, searches, the view of a person and the acts is led by an index", async () => {
  await using temporary = await temporaryDatabase();
  const loaded = loadConfig({ app: definitions.admin, env: testEnvironment(dirname(temporary.path)) });
  if (!loaded.ok) throw new Error(loaded.problems.join());
  const log = createLog({ format: "json", level: "error", clock: systemClock });
  const statements = new Set<string>();
  const database = recorded(temporary.database, statements);
  const given = { ...temporary, database };
  const app = await createApp({ definition: definitions.admin, config: loaded.config, build, log, database: given });
  const { accounts, people } = app;
  const ada = await accounts.create({ email, password: "a long walk by the sea", verified: true, roles: ["admin"] });
  const staff = { actor: "staff", userId: ada.id, role: "admin", origin } as const;
  const grace = await accounts.create({ email: "grace@example.test", password: "a long walk", verified: false });
  const service = { actor: "service", service: "crm", origin } as const;

  statements.clear();
  const filters = [{}, { role: "admin" }, { state: "disabled" }, { state: "unverified" }, { state: "locked" }] as const;
  for (const filter of filters)
    for (const search of [undefined, "a", ada.id])
      for (const next of [undefined, (await people.list({ limit: 1 })).next])
        await people.list({ ...filter, search, cursor: next, limit: 50 });
  await people.counts();
  await people.show(email);
  for (const act of [accounts.disable, accounts.enable, accounts.unlock, accounts.verify, accounts.sendPasswordReset])
    await act(grace.id, staff);
  await accounts.revokeSessions(grace.id, staff);
  await accounts.revokeSessions(grace.id, staff, ada.id);
  await accounts.changeRoles(grace.id, { add: ["editor"], remove: [] }, staff);
  await accounts.disable(grace.id, service);
  await accounts.delete(grace.id, staff);
  expect(statements.size).toBeGreaterThan(30);

  const connection = new Connection(temporary.path);
  const explained = [...statements].map((sql) => ({
    sql,
    plan: connection
      .query<{ detail: string }, []>(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => detail),
  }));
  connection.close();
  // Statements may read whole only rows that they have made themselves, and indexes that hold nothing but what is looked for.
  const isWhole = (step: string): boolean =>
    /^SCAN (?!CONSTANT|\(subquery|held|found|\w+ USING (?:COVERING )?INDEX users_(?:roles|disabled|unverified)\b)/.test(
      step,
    );
  // The rows that each searched field has found are bounded, and put in order once more.
  const isSorted = (step: string, place: number, plan: readonly string[]): boolean =>
    step.startsWith("USE TEMP B-TREE FOR ORDER BY") && !/^SCAN found\d/.test(plan[place - 1] ?? "");
  // The statement that counts everybody has a bound, and is left out.
  const led = explained.filter(({ sql }) => !sql.includes("where true limit"));
  const complaints = led.filter(({ plan }) => plan.some((step) => isWhole(step)) || plan.some(isSorted));
  expect(complaints).toEqual([]);
  const used = new Set(explained.flatMap(({ plan }) => plan.flatMap((step) => /INDEX (\w+)/.exec(step)?.[1] ?? [])));
  const made = ["users_disabled", "users_unverified", "users_roles", "users_display_name", "auth_attempts_locks"];
  expect(made.filter((index) => !used.has(index))).toEqual([]);
  await app.close();
});

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createJobMentions } from "../../src/drivers/queue/table/mention.repository.ts";
import { temporaryDatabase } from "../support/database.ts";

const mentioned = [{ field: "user_id", value: "ada" }];

test("jobs that mention an account are found in all queues but those that are excepted, which are not read", async () => {
  await using temporary = await temporaryDatabase();
  const { database } = temporary;
  const queues = ["default", "feed", "feed-crm", "feed-ledger", "feed.own", "feeds"];
  await database.batch(
    queues.map((queue) => ({
      sql: `insert into jobs (id, queue, name, payload, state, attempts, max_attempts, available_at, created_at, app)
            values ($queue, $queue, $queue, '{"user_id":"ada"}', 'pending', 0, 3, 0, 0, 'app')`,
      params: { queue },
    })),
  );
  const mentions = createJobMentions(database, { exceptQueues: "feed-" });
  const namesIn = (jobs: readonly { readonly name: string }[]): string[] => jobs.map(({ name }) => name).toSorted();
  const found = ["default", "feed", "feed.own", "feeds"];
  expect(namesIn(await mentions.list(mentioned))).toEqual(found);
  expect(namesIn(await createJobMentions(database).list(mentioned))).toEqual(queues);

  // A backlog of hundreds of thousands of messages must cost an export or a deletion nothing.
  const { sql, params = {} } = mentions.drop(mentioned);
  using connection = new Database(temporary.path, { readwrite: true, strict: true });
  const plan = connection.query<{ detail: string }, typeof params>(`explain query plan ${sql}`).all(params);
  expect(plan.map(({ detail }) => detail).join("\n")).not.toMatch(/^SCAN/m);
  await database.batch([mentions.drop(mentioned)]);
  expect(namesIn(await database.all<{ name: string }>("select name from jobs"))).toEqual(["feed-crm", "feed-ledger"]);
});

test("jobs that have come to an end are told from those that are tried again", async () => {
  await using temporary = await temporaryDatabase();
  const { database } = temporary;
  const state = { waiting: "pending", dead: "dead" };
  await database.batch(
    Object.entries(state).map(([id, value]) => ({
      sql: `insert into jobs (id, queue, name, payload, state, attempts, max_attempts, available_at, created_at, app)
            values ($id, 'default', 'a:job', '{}', $value, 0, 3, 0, 0, 'app')`,
      params: { id, value },
    })),
  );
  const mentions = createJobMentions(database);
  expect(await mentions.pending(["waiting", "dead", "done"])).toEqual(["waiting"]);
  expect(await mentions.pending([])).toEqual([]);
});

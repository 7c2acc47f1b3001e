import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { calm, createPeople } from "../../support/auth.ts";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { eventually, untilLogged } from "../../support/log.ts";
import { startReceiver, webhookSecret } from "../../support/receiver.ts";
import { redisMissing, startRedis, type RedisServer } from "../../support/redis.ts";
import { openRows } from "../../support/rows.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";

const limitMs = 120_000;
const folder = folderOfEachTest();
endTargetsAfterEach();

const secret = webhookSecret();
const receiver = startReceiver({ secret });
let redis: RedisServer | undefined;
afterAll(async () => {
  await receiver.stop();
  await redis?.stop();
});

let env: Record<string, string>;
beforeEach(async () => {
  receiver.reply();
  redis ??= await startRedis({
    users: ["queue on >a-password ~gatehouse:testing:queue:* -@all +@read +@write +@scripting +ping"],
  });
  env = {
    ...testEnvironment(folder()),
    ...calm,
    QUEUE_DRIVER: "redis",
    REDIS_URL: redis.urlAs("queue", "a-password"),
    QUEUE_LEASE: "2s",
    WEBHOOK_LEDGER_URL: receiver.url,
    WEBHOOK_LEDGER_SECRET: secret,
    WEBHOOK_LEDGER_TOPICS: "auth.registered",
  };
});

const start = (role: "http" | "worker", migrate = false): Promise<Target> =>
  startTarget({ env, roles: [role], ownProcess: true, migrate });
const idsOf = ({ id: userId }: { readonly id: string }): readonly string[] =>
  receiver
    .received()
    .filter(({ data }) => data["user_id"] === userId)
    .map(({ id }) => id);
async function untilNoJob(): Promise<void> {
  using rows = openRows(env["DB_DATABASE"] ?? "");
  await eventually("no job", () => rows.count("jobs") === 0, 60_000);
}

describe.skipIf(redisMissing !== undefined)("an API and workers that are woken through Redis", () => {
  test(
    "D-40 a killed worker's job is done by the next, and a stopped one ends what it has in hand",
    async () => {
      const http = await start("http", true);
      const people = createPeople(http.url);
      const first = await start("worker");
      const held = Promise.withResolvers<Response>();
      receiver.reply(() => held.promise);
      const before = receiver.requests();
      const ada = await people.register("ada");
      await eventually("the message at the receiver", () => receiver.requests() > before);
      await first.kill();
      receiver.reply();
      const second = await start("worker");
      await eventually("the message again", () => idsOf(ada).length === 1, 60_000);
      held.resolve(new Response(null, { status: 204 }));
      await eventually("the end of the first", () => idsOf(ada).length === 2);
      expect(new Set(idsOf(ada)).size).toBe(1);

      const late = Promise.withResolvers<Response>();
      receiver.reply(() => late.promise);
      const asked = receiver.requests();
      const grace = await people.register("grace");
      await eventually("a message in hand", () => receiver.requests() > asked);
      const stopped = second.stop();
      await untilLogged(second, '"message":"stopping"');
      late.resolve(new Response(null, { status: 204 }));
      expect(await stopped).toBe(0);
      expect(idsOf(grace)).toHaveLength(1);
      await untilNoJob();
      expect(await http.stop()).toBe(0);
    },
    limitMs,
  );

  test(
    "D-42 people register and the app is ready while Redis is down, and nothing is lost or sent twice",
    async () => {
      const [http, worker] = [await start("http", true), await start("worker")];
      const people = createPeople(http.url);
      const ada = await people.register("ada");
      await eventually("a message", () => idsOf(ada).length === 1, 60_000);
      await redis?.kill();
      const newcomers = await Promise.all(["grace", "joan", "mary"].map((name) => people.register(name)));
      const ready = await fetch(`${http.url}/-/ready`, {
        headers: { authorization: `Bearer ${env["APP_DIAG_TOKEN"]}` },
      });
      expect(ready.status).toBe(200);
      expect(await ready.json()).toMatchObject({
        status: "ready",
        checks: expect.arrayContaining([
          expect.objectContaining({ type: "queue", name: "default", status: "ok" }),
          expect.objectContaining({ type: "queue", name: "workers of default", status: "failed", optional: true }),
        ]),
      });
      // Workers ask the table meanwhile, so that nothing waits for Redis.
      await untilLogged(worker, '"message":"workers can\'t be woken through Redis, they ask the database meanwhile"');
      await eventually("every message", () => newcomers.every((each) => idsOf(each).length > 0), 60_000);
      await redis?.restart();
      await untilLogged(worker, '"message":"workers are woken through Redis again"');
      const late = await people.register("ruth");
      await eventually("a message after the outage", () => idsOf(late).length > 0, 10_000);
      await untilNoJob();
      expect(newcomers.map((each) => idsOf(each).length)).toEqual([1, 1, 1]);
      expect(`${http.logs()}${worker.logs()}`).not.toContain("a-password");
      expect(await Promise.all([http.stop(), worker.stop()])).toEqual([0, 0]);
    },
    limitMs,
  );
});

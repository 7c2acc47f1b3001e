import { expect, test } from "bun:test";
import { byOperator } from "../../src/core/audit.ts";
import { Webhook } from "standardwebhooks";
import { createAuditRepository } from "../../src/audit/audit.repository.ts";
import { createJournal } from "../../src/auth/journal.ts";
import { minute } from "../../src/core/clock.ts";
import type { DomainEvent } from "../../src/core/topics.ts";
import { createInprocEventBus } from "../../src/drivers/events/inproc.ts";
import { openQueues } from "../../src/drivers/queue/open.ts";
import { messageOf, signatureHeaders } from "../../src/webhook/message.ts";
import { createWebhooks, webhookQueues } from "../../src/webhook/index.ts";
import { temporaryDatabase } from "../support/database.ts";
import { createRecordingLog } from "../support/log.ts";
import { webhookSecret } from "../support/receiver.ts";

const failed = (id: string): DomainEvent => ({
  id,
  at: "2026-01-01T00:00:00.000Z",
  topic: "auth.login-failed",
  payload: { user_id: null, count: 1, reason: "wrong_password" },
});
const registered: DomainEvent = {
  id: "an id",
  at: "2026-01-01T00:00:00.000Z",
  topic: "auth.registered",
  payload: { user_id: "ada", session_id: null },
};

test("W-08 a flood of refused logins is 60 messages a minute for each webhook, counted and logged once, and holds up nothing else", () => {
  let now = Date.UTC(2026, 0, 1);
  const withheld = new Map<string, number>();
  const log = createRecordingLog();
  const webhook = {
    url: "https://receiver.example.test/",
    secrets: [webhookSecret()],
    expand: "nothing",
    allowPrivate: false,
  } as const;
  const { jobsOf } = createWebhooks({
    config: {
      webhooks: {
        ledger: { ...webhook, topics: ["auth.login-failed", "auth.registered"] },
        crm: { ...webhook, topics: ["auth.registered"] },
      },
    },
    deliveries: {
      count: ({ webhook: name, outcome }, by = 1) => {
        if (outcome === "withheld") withheld.set(name, (withheld.get(name) ?? 0) + by);
      },
    },
    clock: { now: () => now },
    log,
  });
  const flood = (): number => {
    let jobs = 0;
    for (let index = 0; index < 10_000; index += 1) jobs += jobsOf(failed(`event ${index}`)).length;
    return jobs;
  };
  expect(flood()).toBe(60);
  expect(jobsOf(registered)).toHaveLength(2);
  expect(Object.fromEntries(withheld)).toEqual({ ledger: 9_940, crm: 0 });
  expect(log.lines.map(({ level, fields }) => [level, fields["webhook"]])).toEqual([["warn", "ledger"]]);
  now += minute;
  expect(flood()).toBe(60);
  expect(log.lines).toHaveLength(2);
});

test("the specification's own library verifies a message, and refuses it with another byte, another id or another secret", () => {
  const secret = webhookSecret();
  const message = messageOf("ledger", registered);
  const headers = signatureHeaders(message, [secret], Date.now());
  const verify = (body: string, changed: object = {}, by = secret): unknown =>
    new Webhook(by).verify(body, { ...headers, ...changed });
  expect(verify(message.body)).toEqual({
    type: "auth.registered",
    timestamp: registered.at,
    data: { user_id: "ada", session_id: null },
  });
  expect(() => verify(`${message.body} `)).toThrow();
  expect(() => verify(message.body, { "webhook-id": "another" })).toThrow();
  expect(() => verify(message.body, {}, webhookSecret())).toThrow();
  const late = signatureHeaders(message, [secret], Date.now() - 10 * minute);
  expect(() => verify(message.body, late)).toThrow();
});

test("W-12 a change that a guard undoes sends nothing, and one that is made has its message in the same commit", async () => {
  const { database, dispose } = await temporaryDatabase();
  const clock = { now: () => Date.UTC(2026, 0, 1) };
  const log = createRecordingLog();
  const config = {
    webhooks: {
      ledger: {
        url: "https://receiver.example.test/",
        secrets: [webhookSecret()],
        topics: ["auth.password-changed"],
        expand: "nothing",
        allowPrivate: false,
      },
    },
  } as const;
  const { work } = openQueues({
    app: "app",
    config: { resources: { default: { driver: "database" } }, maxAttempts: 3 },
    own: webhookQueues(config),
    database,
    clock,
    log,
    handlers: () => new Map(),
    queueOf: () => "default",
  });
  const journal = createJournal({
    work,
    audit: { row: createAuditRepository(database, { name: "app" }).insert },
    events: createInprocEventBus({ name: "default", log }),
    jobsOf: createWebhooks({ config, deliveries: { count: () => undefined }, clock, log }).jobsOf,
    clock,
  });
  const change = (guard: string) =>
    journal.commit({
      statements: [{ sql: `update jobs set name = name where ${guard}`, guard: guard !== "true" }],
      tell: [{ topic: "auth.password-changed", payload: { user_id: "ada" }, by: byOperator }],
    });
  const stored = () => database.all<{ queue: string; payload: string }>("select queue, payload from jobs");
  expect((await change("1 = 0")).applied).toBe(false);
  expect(await stored()).toEqual([]);
  expect((await change("true")).applied).toBe(true);
  const [job, ...more] = await stored();
  const [row] = await database.all<{ id: string }>("select id from audit_events");
  expect([job?.queue, more.length]).toEqual(["webhook-ledger", 0]);
  expect(JSON.parse(job?.payload ?? "")).toMatchObject({ webhook: "ledger", id: `${row?.id}_ledger` });
  await dispose();
});

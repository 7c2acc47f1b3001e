import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { Webhook } from "standardwebhooks";
import { isTopic, topics } from "../../../src/core/topics.ts";
import { auth, hour, minute, nextMail, type Person } from "../../support/auth.ts";
import { eventually, untilLogged } from "../../support/log.ts";
import { startReceiver, webhookSecret, type Received } from "../../support/receiver.ts";
import { stage } from "../../support/stage.ts";

const [secret, oldSecret] = [webhookSecret(), webhookSecret()];
const ledger = startReceiver({ secret });
const crm = startReceiver({ secret: oldSecret });
const { target, rows, people, mailbox, browser } = await stage({
  env: {
    LIGHTHOUSE_SECRET: "lighthouse-secret-of-the-tests-0123456789",
    LIGHTHOUSE_INSPECT_ENABLED: "true",
    WEBHOOK_LEDGER_URL: `${ledger.url}/a-token-in-the-path?token=in-the-query`,
    WEBHOOK_LEDGER_SECRET: secret,
    WEBHOOK_CRM_EU_URL: crm.url,
    WEBHOOK_CRM_EU_SECRET: `${secret} ${oldSecret}`,
    WEBHOOK_CRM_EU_TOPICS: "auth.registered, auth.password-changed",
  },
});
afterAll(async () => {
  await ledger.stop();
  await crm.stop();
});
afterEach(() => {
  ledger.reply();
  crm.reply();
});

const queueOf = (webhook: string): string => `jobs where queue = 'webhook-${webhook}'`;
const isEmpty = (webhook: string): boolean => rows.count(queueOf(webhook)) === 0;
const unavailable = (): Response => new Response(null, { status: 503 });
const of = (id: string, messages: readonly Received[]) => messages.filter(({ data }) => data["user_id"] === id);

test("W-01 a change sends its event, signed as the specification says, to each webhook that wants its topic", async () => {
  const ada = await people.register("ada");
  await ada.client.post(auth("logout"));
  await ledger.until("both", () => of(ada.id, ledger.received()).length === 2);
  await crm.until("its one", () => of(ada.id, crm.received()).length === 1);
  expect([...ledger.refused(), ...crm.refused()]).toEqual([]);

  const [registered, loggedOut] = of(ada.id, ledger.received()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect([registered?.type, loggedOut?.type]).toEqual(["auth.registered", "auth.logged-out"]);
  for (const { type, timestamp, data, body, id, headers } of ledger.received()) {
    expect(isTopic(type) && Value.Check(topics[type], data)).toBe(true);
    expect(JSON.parse(body)).toEqual({ type, timestamp, data });
    expect(headers.get("content-type")).toBe("application/json");
    const [row] = rows.all<{ action: string; at: number }>(
      "select action, at from audit_events where id = ?",
      id.replace("_ledger", ""),
    );
    expect(row).toEqual({ action: type, at: Date.parse(timestamp) });
  }
  expect(of(ada.id, crm.received())[0]?.id).toBe(registered?.id.replace("_ledger", "_crm-eu") ?? "");
  await eventually("no job is left", () => isEmpty("ledger") && isEmpty("crm-eu"));
});

test("W-02 while a secret is exchanged, each message is signed by both", async () => {
  const ada = await people.register("ada");
  await crm.until("the message", () => of(ada.id, crm.received()).length === 1);
  const [message] = of(ada.id, crm.received());
  if (message === undefined) throw new Error("no message");
  const headers = Object.fromEntries(message.headers);
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  for (const each of [secret, oldSecret])
    expect(new Webhook(each).verify(message.body, headers)).toEqual(JSON.parse(message.body));
});

test("W-03 neither a row, nor the log, nor an inspect holds a secret or the rest of a URL", async () => {
  crm.reply(unavailable);
  const ada = await people.register("ada");
  await eventually("a failed attempt", () => rows.count(`${queueOf("crm-eu")} and last_error is not null`) === 1);
  const stored = JSON.stringify(rows.all("select * from jobs"));
  const answer = await fetch(`${target.url}/lighthouse/api/inspects?source=jobs&limit=100`, {
    headers: { authorization: "Bearer lighthouse-secret-of-the-tests-0123456789" },
  });
  const seen = `${stored}${target.logs()}${await answer.text()}`;
  expect(seen).toContain("webhook:deliver");
  expect(seen).toContain("webhook crm-eu: it answered 503");
  for (const hidden of [secret, oldSecret, "a-token-in-the-path", "in-the-query"])
    expect(seen).not.toContain(hidden.replace("whsec_", ""));
  crm.reply();
  rows.letPass(minute);
  await crm.until("the message", () => of(ada.id, crm.received()).length === 1);
}, 120_000);

describe("a receiver that is down", () => {
  test("W-04 for an hour loses nothing: all of it arrives within another hour, once it is back", async () => {
    ledger.reply(unavailable);
    const before = ledger.received().length;
    const ada = await people.register("ada");
    for (let times = 0; times < 3; times += 1) await ada.login();
    await eventually("all were tried", () => rows.count(`${queueOf("ledger")} and last_error is not null`) === 4);
    let left = hour;
    while (left > 0) {
      const latest = Number(rows.get(`select max(available_at) as at from ${queueOf("ledger")}`)["at"]);
      const passing = Math.min(left, Math.max(0, latest - Date.now()) + 1);
      const attempts = Number(rows.get(`select sum(attempts) as n from ${queueOf("ledger")}`)["n"]);
      rows.letPass(passing);
      left -= passing;
      if (left > 0)
        await eventually("each is tried again", () => {
          const resting = rows.count(`${queueOf("ledger")} and leased_until is null and available_at > ?`, Date.now());
          return (
            resting === 4 &&
            Number(rows.get(`select sum(attempts) as n from ${queueOf("ledger")}`)["n"]) >= attempts + 4
          );
        });
    }
    expect(rows.count(`${queueOf("ledger")} and state = 'dead'`)).toBe(0);
    expect(ledger.received()).toHaveLength(before);
    // An hour and a half has passed at most since the first attempt: the pauses have doubled.
    expect(Number(rows.get(`select max(attempts) as n from ${queueOf("ledger")}`)["n"])).toBeGreaterThan(8);
    ledger.reply();
    rows.letPass(hour);
    await ledger.until("all four", () => of(ada.id, ledger.received()).length === 4);
    expect(new Set(of(ada.id, ledger.received()).map(({ id }) => id)).size).toBe(4);
    await eventually("no job is left", () => isEmpty("ledger"));
  }, 120_000);

  test("W-05 for three days leaves dead letters, which an operator can have sent again", async () => {
    ledger.reply(unavailable);
    const ada = await people.register("ada");
    await eventually("it was tried", () => rows.count(`${queueOf("ledger")} and last_error is not null`) === 1);
    rows.letPass(71 * hour);
    await eventually(
      "it was tried again",
      () => rows.count(`${queueOf("ledger")} and attempts = 2 and leased_until is null`) === 1,
    );
    expect(rows.count(`${queueOf("ledger")} and state = 'dead'`)).toBe(0);
    rows.letPass(2 * hour);
    await eventually("a dead letter", () => rows.count(`${queueOf("ledger")} and state = 'dead'`) === 1);
    await untilLogged(target, "job failed for good");
    ledger.reply();
    // The update does the work of queue:retry, and makes the job due now.
    rows.run(
      "update jobs set state = 'pending', available_at = ?, finished_at = null where state = 'dead'",
      Date.now(),
    );
    await ledger.until("the message", () => of(ada.id, ledger.received()).length === 1);
  }, 120_000);

  test("W-06 and hangs holds up neither mails nor another receiver", async () => {
    const held = Promise.withResolvers<Response>();
    ledger.reply(() => held.promise);
    const newcomers: Person[] = [];
    // More messages wait than a worker has places.
    for (let times = 0; times < 10; times += 1) newcomers.push(await people.register("grace"));
    for (const { id, email } of newcomers) {
      await nextMail(mailbox, email, "Verify your email");
      await crm.until("the other receiver's", () => of(id, crm.received()).length === 1);
    }
    expect(rows.count(`${queueOf("ledger")} and leased_until is not null`)).toBe(8);
    held.resolve(new Response(null, { status: 204 }));
    ledger.reply();
    await ledger.until("the rest", () => newcomers.every(({ id }) => of(id, ledger.received()).length >= 1), 60_000);
  }, 120_000);
});

describe("a receiver's answer", () => {
  test("W-07 410 is not tried again, and Retry-After is obeyed", async () => {
    ledger.reply(() => new Response(null, { status: 410 }));
    const ada = await people.register("ada");
    await eventually("a dead letter", () => rows.count(`${queueOf("ledger")} and state = 'dead'`) === 1);
    expect(rows.run(`delete from ${queueOf("ledger")}`)).toBe(1);
    ledger.reply(() => new Response(null, { status: 429, headers: { "retry-after": "3600" } }));
    await ada.login();
    await eventually(
      "it rests",
      () => rows.count(`${queueOf("ledger")} and available_at > ?`, Date.now() + 59 * minute) === 1,
    );
    ledger.reply();
    rows.letPass(hour);
    await ledger.until("the login", () => of(ada.id, ledger.received()).length === 1);
  }, 120_000);
});

test("an account that is deleted leaves the messages about it: the receiver is told of its end as of its beginning", async () => {
  ledger.reply(unavailable);
  const ada = await people.register("ada");
  await eventually("it was tried", () => rows.count(`${queueOf("ledger")} and last_error is not null`) === 1);
  expect((await ada.client.post(auth("account/delete"), { current_password: ada.password })).status).toBe(200);
  ledger.reply();
  rows.letPass(minute);
  await ledger.until("both", () => of(ada.id, ledger.received()).length === 2);
  const types = of(ada.id, ledger.received()).map(({ type }) => type);
  expect(types.toSorted()).toEqual(["auth.registered", "auth.user-deleted"]);
});

test("a refused login is told, though it is written down behind its answer", async () => {
  const ada = await people.register("ada");
  await browser().post(auth("login"), { login: ada.username, password: "not hers" });
  await ledger.until("both", () => of(ada.id, ledger.received()).length === 2);
  const refused = of(ada.id, ledger.received()).find(({ type }) => type === "auth.login-failed");
  expect(refused?.data).toEqual({ user_id: ada.id, count: 1, reason: "wrong_password" });
});

test("maintenance is told as well", async () => {
  const call = (act: string) =>
    fetch(`${target.url}/-/maintenance/${act}`, {
      method: "POST",
      headers: { authorization: `Bearer ${target.env["APP_DIAG_TOKEN"]}` },
    });
  await call("enable");
  await call("disable");
  await ledger.until("both", () =>
    ["maintenance.enabled", "maintenance.disabled"].every((type) => ledger.types().includes(type)),
  );
});

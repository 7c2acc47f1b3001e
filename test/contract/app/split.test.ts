import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { auth, browserWith, calm, createPeople, isServed, mailTo, secretsOf } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { controlOf, sharedState, untilOpen } from "../../support/maintenance.ts";
import { startMailbox, type Mailbox } from "../../support/smtp.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

// Two `api`, one `worker` and one `scheduler` on one database, as a deployment runs them.
endTargetsAfterEach();

const limitMs = 60_000;
const leaseMs = 2_000;
const promisedMs = 1_000;
let mailbox: Mailbox;
let env: Record<string, string>;
/** What the relay answers a sender with, once. */
let relay: { held: PromiseWithResolvers<void>; asked: number };

beforeEach(async () => {
  relay = { held: Promise.withResolvers(), asked: 0 };
  relay.held.resolve();
  mailbox = await startMailbox({
    onMailFrom(_address, _session, proceed) {
      relay.asked += 1;
      void relay.held.promise.then(() => proceed());
    },
  });
  env = {
    ...calm,
    ...mailTo(mailbox),
    ...sharedState,
    APP_URL: "http://127.0.0.1:3000",
    DB_DATABASE: join(folder(), "app.db"),
    QUEUE_LEASE: `${leaseMs}ms`,
  };
});
afterEach(async () => {
  relay.held.resolve();
  await mailbox.stop();
});

const start = (role: "http" | "worker" | "scheduler", migrate = false): Promise<Target> =>
  startTarget({ env, roles: [role], ownProcess: true, migrate });
async function startAll() {
  const one = await start("http", true);
  const [two, worker, scheduler] = await Promise.all([start("http"), start("worker"), start("scheduler")]);
  return { one, two, worker, scheduler };
}
const stopAll = async (...targets: readonly Target[]): Promise<void> => {
  expect(await Promise.all(targets.map((target) => target.stop()))).toEqual(targets.map(() => 0));
};

/** How long it takes until that is so. */
async function elapsedUntil(what: string, holds: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  while (!(await holds())) {
    if (performance.now() - started > 10_000) throw new Error(`never: ${what}`);
    await Bun.sleep(5);
  }
  return performance.now() - started;
}

const askForReset = (target: Target, login: string) =>
  createClient(target.url).post(auth("password-reset/request"), { login });
const resetsTo = (email: string): number =>
  mailbox.all().filter(({ recipients, subject }) => recipients.includes(email) && subject === "Reset your password")
    .length;

describe("a job in hand when its worker is killed", () => {
  test(
    "is done exactly once more, by another worker, when the lease has run out",
    async () => {
      const { one, two, worker, scheduler } = await startAll();
      const ada = await createPeople(one.url).register("ada");
      await mailbox.next(ada.email);
      const rows = openRows(one.databasePath);
      await eventually("an empty queue", () => rows.count("jobs") === 0);

      relay.held = Promise.withResolvers();
      const asked = relay.asked;
      expect((await askForReset(two, ada.email)).status).toBe(200);
      await eventually("the worker at the relay", () => relay.asked > asked);
      await worker.kill();
      relay.held.resolve();
      const killed = performance.now();
      const successor = await start("worker");
      await mailbox.next(ada.email, 60_000);
      // It was renewed a third of a lease before the kill, at worst.
      expect(performance.now() - killed).toBeGreaterThan(leaseMs / 2);
      await eventually("an empty queue", () => rows.count("jobs") === 0);
      expect(resetsTo(ada.email)).toBe(1);
      const done = /"message":"job done"[^\n]*"attempt":2/;
      await eventually("the second attempt in the log", () => done.test(successor.logs()));
      expect(rows.count("auth_grants where purpose = 'password_reset'")).toBe(1);
      rows.close();
      await stopAll(one, two, successor, scheduler);
    },
    limitMs,
  );

  test(
    "and whose mail had gone is done once more too, not twice: both mails have one link, which works once",
    async () => {
      const { one, two, worker, scheduler } = await startAll();
      const ada = await createPeople(one.url).register("ada");
      await mailbox.next(ada.email);
      const rows = openRows(one.databasePath);
      await eventually("an empty queue", () => rows.count("jobs") === 0);

      relay.held = Promise.withResolvers();
      const asked = relay.asked;
      await askForReset(one, ada.email);
      await eventually("the worker at the relay", () => relay.asked > asked);
      // From here on nobody can write: the mail goes, and that it went can't be recorded.
      {
        using writer = openRows(one.databasePath);
        using _held = writer.holdWrites();
        relay.held.resolve();
        await eventually("the mail", () => resetsTo(ada.email) === 1);
        await worker.kill();
      }

      const successors = await Promise.all([start("worker"), start("worker")]);
      await eventually("the mail once more", () => resetsTo(ada.email) === 2, 60_000);
      await eventually("an empty queue", () => rows.count("jobs") === 0);
      await Bun.sleep(leaseMs + 1_500);
      expect(resetsTo(ada.email)).toBe(2);
      rows.close();

      const tokens = mailbox.all().flatMap(({ text }) => /reset-password\?token=([\w-]+)/.exec(text)?.[1] ?? []);
      const statuses: number[] = [];
      for (const [index, token] of tokens.entries()) {
        const target = index % 2 === 0 ? one : two;
        const chosen = { token, new_password: `chosen after the mails ${index}` };
        statuses.push((await createClient(target.url).post(auth("password-reset/confirm"), chosen)).status);
      }
      expect(statuses).toEqual([200, 401]);
      await stopAll(one, two, ...successors, scheduler);
    },
    limitMs,
  );
});

test(
  "maintenance that one api is told of the other heeds within a second, while the worker goes on",
  async () => {
    const { one, two, worker, scheduler } = await startAll();
    const ada = await createPeople(one.url).register("ada");
    await mailbox.next(ada.email);
    await worker.kill();
    expect((await askForReset(two, ada.email)).status).toBe(200);
    expect((await controlOf(one).enable()).status).toBe(200);
    expect(await untilOpen(two, false)).toBeLessThan(promisedMs);
    expect((await askForReset(two, ada.email)).status).toBe(503);
    const successor = await start("worker");
    await mailbox.next(ada.email);
    expect((await controlOf(two).disable()).status).toBe(200);
    expect(await untilOpen(one, true)).toBeLessThan(promisedMs);
    expect(await isServed(ada.client)).toBe(true);
    expect(resetsTo(ada.email)).toBe(1);
    await stopAll(one, two, successor, scheduler);
  },
  limitMs,
);

test(
  "L-11 what one api limits, locks or ends, the other refuses within a second",
  async () => {
    const limits = { AUTH_IP_RATE_LIMIT_ATTEMPTS: "12", AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "8" };
    env = { ...env, ...limits };
    const { one, two, worker, scheduler } = await startAll();
    const people = createPeople(one.url);
    const [ada, grace, lin] = [
      await people.register("ada"),
      await people.register("grace"),
      await people.register("lin"),
    ];
    const login = (target: Target, name: string, password: string) =>
      createClient(target.url).post(auth("login"), { login: name, password });
    const told: Record<string, number> = {};

    const elsewhere = browserWith(two.url, secretsOf(ada.client));
    expect(await isServed(elsewhere)).toBe(true);
    expect((await ada.client.post(auth("logout"))).status).toBe(200);
    told["revocation"] = await elapsedUntil("refused by the other", async () => !(await isServed(elsewhere)));

    const phone = await grace.login();
    const phoneElsewhere = browserWith(two.url, secretsOf(phone));
    expect(await isServed(phoneElsewhere)).toBe(true);
    const change = { current_password: grace.password, new_password: "changed at the first of two" };
    expect((await grace.client.post(auth("change-password"), change)).status).toBe(200);
    told["password change"] = await elapsedUntil(
      "the other session ended",
      async () => !(await isServed(phoneElsewhere)),
    );
    expect((await login(two, grace.email, grace.password)).status).toBe(401);
    expect((await login(two, grace.email, change.new_password)).status).toBe(200);

    for (const target of [one, two, one, two, one]) await login(target, lin.email, "not the password");
    told["lockout"] = await elapsedUntil(
      "locked",
      async () => (await login(two, lin.email, lin.password)).status === 423,
    );

    // Both count the attempts of one address at one login, and the registrations of one address.
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => login(index % 2 === 0 ? one : two, "nobody@example.test", "a guess")),
    );
    expect(statuses.filter(({ status }) => status !== 429)).toHaveLength(8);
    const registered = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const account = { email: `many${index}@example.test`, password: "a long walk by the sea" };
        return createClient(index % 2 === 0 ? one.url : two.url).post(auth("register"), account);
      }),
    );
    // Three had been counted before.
    expect(registered.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(registered.filter(({ status }) => status === 429)).toHaveLength(11);

    for (const [what, ms] of Object.entries(told)) expect([what, ms < promisedMs]).toEqual([what, true]);
    process.stdout.write(
      `seen by the other api after ${Object.entries(told)
        .map(([what, ms]) => `${ms.toFixed(0)} ms (${what})`)
        .join(", ")}\n`,
    );
    await stopAll(one, two, worker, scheduler);
  },
  limitMs,
);

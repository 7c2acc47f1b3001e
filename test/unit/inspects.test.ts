import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { loadConfig } from "../../src/config/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { openDisposable } from "../../src/drivers/database/open.ts";
import { createRequestFacts } from "../../src/http/index.ts";
import { createInspects } from "../../src/inspect/index.ts";
import { createRecorder } from "./http/site.ts";
import { testEnvironment } from "../support/environment.ts";
import { definitions } from "../support/definitions.ts";
import { folderOfEachTest } from "../support/folder.ts";

const folder = folderOfEachTest();
const facts = createRequestFacts({
  trustedProxies: [],
  own: { appUrl: new URL("http://localhost:3000"), loopback: false },
});

function open(env: Readonly<Record<string, string>> = {}, path = join(folder(), "inspects.db")) {
  const loaded = loadConfig({
    app: definitions.app,
    env: {
      ...testEnvironment(folder()),
      LIGHTHOUSE_SECRET: "an operator's secret",
      LIGHTHOUSE_INSPECT_PATH: path,
      ...env,
    },
  });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const { log, lines } = createRecorder();
  const counted = { recorded: 0, busy: 0, unwritable: 0 };
  const inspects = createInspects({
    config: loaded.config,
    open: () => openDisposable(loaded.config.lighthouse.path, { name: "inspects", log }),
    secrets: ["a secret that was configured"],
    metrics: {
      recorded: (by) => void (counted.recorded += by),
      dropped: (reason, by) => void (counted[reason] += by),
    },
    clock: systemClock,
    log,
  });
  return { inspects, counted, lines, log: inspects.log(log) };
}

type Opened = ReturnType<typeof open>;
const run = ({ inspects }: Opened, name: string, ok = true): Promise<boolean> =>
  inspects.watchRun(name, async () => ok);
/** Records more runs than one write takes, which are dropped if nobody waits. */
async function runMany(opened: Opened, count: number, ok: boolean): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await run(opened, `many:runs-${index}`, ok);
    if (index % 30 === 29) await recorded(opened, index + 1);
  }
}
async function recorded({ counted }: Opened, count: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (counted.recorded < count) {
    if (performance.now() > deadline) throw new Error(`${counted.recorded} of ${count} recorded`);
    await Bun.sleep(5);
  }
}

test("a run of a schedule leaves one, with what it logged and how it ended", async () => {
  const opened = open();
  await opened.inspects.watchRun("reports:daily", async () => {
    opened.log.warn("the report is empty", { rows: 0, password: "hunter2hunter2" });
    return false;
  });
  await recorded(opened, 1);
  const [found] = await opened.inspects.store.search({ limit: 10 });
  const inspect = await opened.inspects.store.find(found?.id ?? "");
  expect(inspect).toMatchObject({
    source: "scheduler",
    name: "reports:daily",
    status: "failed",
    reason: "schedule_failed",
  });
  expect(inspect?.events).toMatchObject([
    {
      seq: 1,
      kind: "log",
      level: "warn",
      message: "the report is empty",
      attributes: { rows: 0, password: "[redacted]" },
    },
  ]);
  expect(opened.lines).toMatchObject([{ level: "warn", message: "the report is empty" }]);
  await opened.inspects.close();
});

test("X-93 a file of the release before is used as it is, and no account is kept of an inspect that made room", async () => {
  const path = join(folder(), "inspects.db");
  const opened = open({ LIGHTHOUSE_INSPECT_MAX_TOTAL: "10" }, path);
  const about = (userId: string) =>
    opened.inspects.watchJob(
      { id: "job", name: "a:job", attempt: 1, payload: { user_id: userId } },
      async () => "done",
    );
  await about("grace");
  await recorded(opened, 1);
  // The file becomes one of release 0.1.0: no table of accounts, and inspects that name none.
  using file = new Database(path);
  file.run("drop trigger inspect_users_removed");
  file.run("drop table inspect_users");
  file.run("update inspects set body = json_remove(body, '$.user_ids')");
  await opened.inspects.close();

  const again = open({ LIGHTHOUSE_INSPECT_MAX_TOTAL: "10" }, path);
  expect(await again.inspects.store.search({ limit: 10 })).toMatchObject([{ name: "a:job", user_ids: [] }]);
  for (let index = 0; index < 15; index += 1) {
    await again.inspects.watchJob(
      { id: "job", name: "a:job", attempt: 1, payload: { user_id: `ada${index}` } },
      async () => "done",
    );
    await recorded(again, index + 1);
  }
  expect(await again.inspects.store.search({ userId: "ada0", limit: 10 })).toEqual([]);
  expect(await again.inspects.store.search({ userId: "ada14", limit: 10 })).toMatchObject([{ user_ids: ["ada14"] }]);
  expect(file.query("select count(*) as n from inspect_users").get()).toEqual({ n: 10 });
  await again.inspects.close();
});

test("X-93 an inspect names at most four accounts", async () => {
  const opened = open();
  await opened.inspects.command("user:import", async () => {
    for (let index = 0; index < 100; index += 1) opened.inspects.auth(facts).concerns(`user-${index}`);
  });
  await recorded(opened, 1);
  expect((await opened.inspects.store.search({ limit: 1 }))[0]?.user_ids).toHaveLength(4);
  await opened.inspects.close();
});

describe("what is kept is bounded", () => {
  test("in records: the oldest go first", async () => {
    const opened = open({ LIGHTHOUSE_INSPECT_MAX_TOTAL: "20" });
    await runMany(opened, 100, true);
    await opened.inspects.close();
    const again = open({ LIGHTHOUSE_INSPECT_MAX_TOTAL: "20" });
    const kept = await again.inspects.store.search({ limit: 200 });
    expect(kept.length).toBe(20);
    expect(kept[0]?.name).toBe("many:runs-99");
    expect((await again.inspects.store.totals()).records).toBe(20);
    await again.inspects.close();
  });

  test("and what went well gives way to what did not, down to half of the room", async () => {
    const opened = open({ LIGHTHOUSE_INSPECT_MAX_TOTAL: "20" });
    await runMany(opened, 15, false);
    await runMany(opened, 90, true);
    await opened.inspects.close();
    const again = open({ LIGHTHOUSE_INSPECT_MAX_TOTAL: "20" });
    expect((await again.inspects.store.search({ failed: true, limit: 200 })).length).toBe(10);
    expect((await again.inspects.store.search({ failed: false, limit: 200 })).length).toBe(10);
    await again.inspects.close();
  });

  test("in events, with room for what explains a failure", async () => {
    const opened = open({ LIGHTHOUSE_INSPECT_MAX_EVENTS: "30" });
    await opened.inspects.watchRun("many:events", async () => {
      for (let index = 0; index < 100; index += 1) opened.log.info(`line ${index}`);
      opened.log.error("what went wrong");
      return false;
    });
    await recorded(opened, 1);
    const [found] = await opened.inspects.store.search({ limit: 1 });
    const inspect = await opened.inspects.store.find(found?.id ?? "");
    expect(inspect?.events.length).toBeLessThanOrEqual(30);
    expect(inspect?.events.at(-1)?.message).toBe("what went wrong");
    expect((inspect?.event_count ?? 0) + (inspect?.events_dropped ?? 0)).toBe(101);
    await opened.inspects.close();
  });

  test("in bytes of one, with room for what explains a failure", async () => {
    const opened = open();
    await opened.inspects.watchRun("large:run", async () => {
      for (let line = 0; line < 100; line += 1) opened.log.info("x".repeat(3_000));
      opened.log.error("what went wrong");
      return false;
    });
    await recorded(opened, 1);
    const [found] = await opened.inspects.store.search({ limit: 1 });
    const inspect = await opened.inspects.store.find(found?.id ?? "");
    expect(inspect?.events.at(-1)?.message).toBe("what went wrong");
    expect((inspect?.event_count ?? 0) + (inspect?.events_dropped ?? 0)).toBe(101);
    expect(JSON.stringify(inspect).length).toBeLessThan(70_000);
    await opened.inspects.close();
  });

  test("in bytes, of one and of all", async () => {
    const opened = open({ LIGHTHOUSE_INSPECT_MAX_BYTES: "1048576", LIGHTHOUSE_INSPECT_MAX_TOTAL: "1000" });
    const long = "x".repeat(3_000);
    for (let index = 0; index < 120; index += 1) {
      await opened.inspects.watchRun(`large:run-${index}`, async () => {
        for (let line = 0; line < 100; line += 1) opened.log.info(long);
        return true;
      });
      if (index % 30 === 29) await recorded(opened, index - 28);
    }
    await opened.inspects.close();
    const { counted } = opened;
    expect(counted.recorded + counted.busy).toBe(120);
    const again = open();
    const [largest] = await again.inspects.store.search({ limit: 1 });
    expect(largest?.events_dropped).toBeGreaterThan(0);
    expect(JSON.stringify(await again.inspects.store.find(largest?.id ?? "")).length).toBeLessThan(80_000);
    expect((await again.inspects.store.totals()).bytes).toBeLessThanOrEqual(1_048_576);
    await again.inspects.close();
    expect(Bun.file(join(folder(), "inspects.db")).size).toBeLessThan(12 * 1_048_576);
  });
});

test("what comes too fast is dropped and counted, failures last", async () => {
  const opened = open();
  await Promise.all(Array.from({ length: 300 }, (_, index) => run(opened, `fine:run-${index}`)));
  await Promise.all(Array.from({ length: 300 }, (_, index) => run(opened, `failed:run-${index}`, false)));
  await opened.inspects.close();
  expect(opened.counted.recorded + opened.counted.busy).toBe(600);
  expect(opened.counted.busy).toBeGreaterThan(100);
  const again = open();
  expect((await again.inspects.store.search({ failed: true, limit: 500 })).length).toBe(300);
  await again.inspects.close();
});

test("a file that can't be written costs the inspects alone, is told once, and is counted", async () => {
  const opened = open({}, join("/dev/null", "inspects.db"));
  for (let turn = 1; turn <= 3; turn += 1) {
    expect(await run(opened, "reports:daily")).toBe(true);
    const deadline = performance.now() + 60_000;
    while (opened.counted.unwritable < turn && performance.now() < deadline) await Bun.sleep(5);
  }
  expect(opened.counted).toEqual({ recorded: 0, busy: 0, unwritable: 3 });
  expect(opened.lines.filter(({ message }) => message.startsWith("inspects can't be written"))).toHaveLength(1);
  await opened.inspects.close();
});

test("a damaged file is replaced", async () => {
  const path = join(folder(), "inspects.db");
  await Bun.write(path, "this was a database once, ".repeat(1_000));
  const opened = open({}, path);
  await run(opened, "reports:daily");
  await recorded(opened, 1);
  expect(await opened.inspects.store.search({ limit: 1 })).toHaveLength(1);
  await opened.inspects.close();
});

test("what a timer does after the end is no part of it", async () => {
  const opened = open();
  const later = Promise.withResolvers<void>();
  await opened.inspects.watchRun("reports:daily", async () => {
    setTimeout(() => {
      opened.log.info("much later");
      later.resolve();
    }, 20);
    return true;
  });
  await later.promise;
  await opened.inspects.close();
  const again = open();
  const [found] = await again.inspects.store.search({ limit: 1 });
  expect(found?.event_count).toBe(0);
  await again.inspects.close();
});

import { expect, test } from "bun:test";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../support/client.ts";
import { readExposition } from "../../support/exposition.ts";
import { inParallel } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { startRecording } from "./lighthouse.fixture.ts";

const dropped = async (url: string): Promise<number> =>
  readExposition((await createClient(url).get("/metrics")).text).sum("inspects_dropped_total");

test("a file that another process holds costs inspects, and no request its time", async () => {
  const { target, operator } = await startRecording();
  const client = createClient(target.url);
  await client.get("/before");
  await operator.find("text=/before");
  expect(await dropped(target.url)).toBe(0);

  const holder = openRows(`${target.folder}/data/lighthouse-app.db`);
  holder.run("begin immediate");
  const longest: number[] = [];
  await inParallel(20, Array.from({ length: 1_500 }), async () => {
    const startedAt = performance.now();
    const answer = await client.get("/during");
    longest.push(performance.now() - startedAt);
    expect(answer.status).toBe(404);
  });
  expect(Math.max(...longest)).toBeLessThan(2_000);
  expect(await dropped(target.url)).toBeGreaterThan(500);
  holder.run("rollback");
  holder.close();

  // The room for waiting inspects was full while the lock was held, so new ones may still be dropped for a moment.
  const deadline = performance.now() + 60_000;
  while ((await operator.list("text=/afterwards")).length === 0 && performance.now() < deadline)
    await client.get("/afterwards");
  await operator.find("text=/afterwards");
  await target.stop();
});

test("the file is its owner's alone, apart from the application's database", async () => {
  const { target, operator } = await startRecording();
  await createClient(target.url).get("/nowhere");
  await operator.find("text=nowhere");
  const { mode } = await stat(`${target.folder}/data/lighthouse-app.db`);
  expect(mode & 0o777).toBe(0o600);
  using rows = openRows(target.databasePath);
  expect([...rows.tables().keys()].filter((name) => name.startsWith("inspect"))).toEqual([]);
  await target.stop();
});

test("what was recorded outlives its process, the last of it included", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-test-"));
  const env = { LIGHTHOUSE_INSPECT_PATH: join(folder, "inspects.db") };
  const second = await startRecording({ env, ownProcess: true });
  await createClient(second.target.url).get("/asked-just-before-the-stop");
  expect(await second.target.stop()).toBe(0);
  const third = await startRecording({ env, ownProcess: true });
  expect(await third.operator.list("text=asked-just-before-the-stop")).toHaveLength(1);
  await third.target.stop();
  await rm(folder, { recursive: true, force: true });
});

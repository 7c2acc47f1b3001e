import { expect, test } from "bun:test";
import { createPeople } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { readExposition } from "../../support/exposition.ts";
import { eventually } from "../../support/log.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

endTargetsAfterEach();

test("R-74 a process that works off no jobs tells how many wait and for how long, and each check of readiness", async () => {
  const target = await startTarget({ env: { APP_ENV: "testing", QUEUE_DRIVER: "database" }, roles: ["http"] });
  const scrape = async () => readExposition((await createClient(target.url).get("/metrics")).text);
  const queue = { queue: "default" };
  expect((await scrape()).sum("queue_jobs_waiting", queue)).toBe(0);
  await createPeople(target.url).register("ada");
  expect((await scrape()).sum("queue_jobs_waiting", queue)).toBe(1);
  const waitedFor = async () => (await scrape()).sum("queue_oldest_job_seconds", queue);
  await eventually("a job that waits longer and longer", async () => (await waitedFor()) > 1);
  const later = await scrape();
  expect(later.sum("app_ready")).toBe(1);
  expect(later.sum("app_check_ready", { type: "db", name: "default" })).toBe(1);
  expect(later.sum("app_check_ready", { type: "component", name: "migrations" })).toBe(1);
  await target.stop();
});

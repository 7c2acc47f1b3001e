import { describe, expect, test } from "bun:test";
import { createClient, type Client } from "../../support/client.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";
import { asOperator, lighthouseSecret, recording, stageRecording } from "./lighthouse.fixture.ts";

const { target, people, operator, browser } = await stageRecording({
  MAIL_DRIVER: "log",
  AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100",
  AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "100",
});
for (const name of ["first", "second", "third"]) await browser().get(`/${name}-of-three`);
await people.register("ada");
await operator.atLeast(3, "status=404");
await operator.find("source=jobs");

describe("the JSON API", () => {
  test.each(["/inspects", "/inspects/0", "/runtime"])(
    "X-17 %s is 401 without the secret, and with a wrong one",
    async (path) => {
      const client = createClient(target.url);
      for (const authorization of ["", "Bearer", "Bearer wrong", `Basic ${btoa(`x:${lighthouseSecret}`)}`]) {
        const answer = await client.get(`/lighthouse/api${path}`, { headers: { authorization } });
        expect(answer.status).toBe(401);
        expect(answer.json).toMatchObject({ ok: false, code: "unauthorized" });
      }
      expect((await client.get(`/lighthouse/api${path}`, asOperator)).status).not.toBe(401);
    },
  );

  test("lists the latest first, as many as asked for", async () => {
    const all = await operator.list("limit=200");
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    expect((await operator.list("limit=2")).map(({ id }) => id)).toEqual(all.slice(0, 2).map(({ id }) => id));
    expect(all[0]).not.toHaveProperty("events");
    const [, second, third] = all;
    expect((await operator.list(`limit=1&before=${second?.id}`)).map(({ id }) => id)).toEqual([third?.id ?? ""]);
  });

  test.each([
    ["source=jobs", 1],
    ["source=scheduler", 0],
    ["status=404", 3],
    ["status=4xx", 3],
    ["status=5xx", 0],
    ["failed=true", 3],
    ["name=REGISTER", 1],
    ["text=second-of-three", 1],
    ["text=SECOND-of-three&status=200", 0],
    ["min_duration_ms=100000", 0],
    ["source=http&failed=false", 1],
  ])("filters by %s", async (query, count) => {
    expect((await operator.list(`${query}&limit=200`)).length).toBe(count);
  });

  test.each([
    "source=disk",
    "limit=0",
    "limit=201",
    "limit=many",
    "trace_id=x",
    "min_duration_ms=-1",
    "failed=perhaps",
  ])("answers 400 to %s", async (query) => {
    expect((await operator.ask(`/inspects?${query}`)).status).toBe(400);
  });

  test("answers 404 to an id that is none", async () => {
    for (const id of ["0", "0".repeat(32), crypto.randomUUID()]) {
      expect((await operator.ask(`/inspects/${id}`)).status).toBe(404);
    }
  });

  test("tells how the app is", async () => {
    const { json } = await operator.ask("/runtime");
    expect(json).toMatchObject({
      ok: true,
      runtime: {
        app: "app",
        env: "testing",
        maintenance: { on: false, driver: "memory" },
        mail: { driver: "log" },
        inspects: { recording: true },
        queues: { items: [{ name: "default", driver: "database", dead: 0 }] },
        failed_jobs: { items: [] },
      },
    });
    expect(JSON.stringify(json)).toContain("auth:cleanup");
    expect(JSON.stringify(json)).toContain("0007_job_trace");
    expect(JSON.stringify(json)).not.toContain(lighthouseSecret);
  });
});

describe("/lighthouse", () => {
  endTargetsAfterEach();
  const paths = ["/lighthouse", "/lighthouse/sign-in", "/lighthouse/api/inspects", "/lighthouse/assets/style.css"];

  test("X-17 is not there without a secret", async () => {
    const target = await startTarget({ env: { LIGHTHOUSE_INSPECT_ENABLED: "true", LIGHTHOUSE_SECRET: "" } });
    const client = createClient(target.url);
    for (const path of paths) {
      const answer = await client.get(path, asOperator);
      expect(answer.status).toBe(404);
      expect(answer.text).toBe("");
    }
    await target.stop();
  });

  test("is there with a secret, and says that nothing is recorded where that is off", async () => {
    const target = await startTarget({ env: { LIGHTHOUSE_SECRET: lighthouseSecret, LIGHTHOUSE_INSPECT_ENABLED: "" } });
    const client = createClient(target.url);
    expect((await client.get("/lighthouse/api/inspects", asOperator)).json).toEqual({ ok: true, inspects: [] });
    const browser = await signedIn(target.url);
    expect((await browser.get("/lighthouse")).text).toContain("Nothing is recorded");
    expect(await Bun.file(`${target.folder}/data/lighthouse-app.db`).exists()).toBe(false);
    await target.stop();
  });

  test("stays up in maintenance, and says that it is on", async () => {
    const target = await startTarget({ env: { ...recording, APP_MAINTENANCE_ENABLED: "true" } });
    const client = createClient(target.url);
    expect((await client.get("/api/v1/hello")).status).toBe(503);
    const browser = await signedIn(target.url);
    expect((await browser.get("/lighthouse/runtime")).text).toContain("on (environment)");
    const list = await browser.get("/lighthouse/api/inspects?text=maintenance");
    expect(list.status).toBe(200);
    await target.stop();
  });

  test("shows what it can when the database is gone", async () => {
    const target = await startTarget({ env: recording, migrate: false });
    const browser = await signedIn(target.url);
    const page = await browser.get("/lighthouse/runtime");
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/no such table|a table is missing/);
    await target.stop();
  });
});

async function signedIn(url: string): Promise<Client> {
  const browser = createClient(url);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = `secret=${lighthouseSecret}`;
  const answer = await browser.post("/lighthouse/sign-in", undefined, { headers, body });
  expect(answer.status).toBe(303);
  return browser;
}

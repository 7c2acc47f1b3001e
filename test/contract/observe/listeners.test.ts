import { expect, test } from "bun:test";
import { auth, calm } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { createClient } from "../../support/client.ts";
import { readExposition } from "../../support/exposition.ts";
import { runGatehouse } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget, type Target, type TargetOptions } from "../../support/target.ts";

endTargetsAfterEach();

/** Returns the address at which a process without the HTTP role serves its metrics. */
function metricsUrl(target: Target): string {
  const url = /"message":"serving metrics"[^\n]*?"url":"([^"]+)"/.exec(target.logs())?.[1];
  if (url === undefined) throw new Error(`serves no metrics: ${target.logs()}`);
  return url;
}

const startRole = (role: "http" | "worker" | "scheduler", options: TargetOptions = {}): Promise<Target> =>
  startTarget({ roles: [role], ownProcess: true, ...options });

const sources = { http: "http", worker: "jobs", scheduler: "scheduler" } as const;

test.each(["worker", "scheduler"] as const)(
  "a %s serves /metrics on a port of its own, and nothing else",
  async (role) => {
    const target = await startRole(role);
    const client = createClient(metricsUrl(target));
    const answer = await client.get("/metrics");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    const { series } = readExposition(answer.text);
    expect(new Set(series.map(({ labels }) => labels.get("source")))).toEqual(new Set([sources[role]]));
    const head = await client.request("HEAD", "/metrics?x=1");
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const [method, path] of [
      ["POST", "/metrics"],
      ["GET", "/"],
      ["GET", "/metrics/"],
      ["GET", "/-/health"],
      ["GET", "/api/v1/hello"],
      ["POST", auth("login")],
    ] as const) {
      const refused = await client.request(method, path);
      expect({ method, path, status: refused.status, text: refused.text }).toEqual({
        method,
        path,
        status: 404,
        text: "",
      });
    }
    expect(await target.stop()).toBe(0);
    // The listener went with the process.
    expect(await client.get("/metrics").catch(() => "closed")).toBe("closed");
  },
);

test("what the api accepts the worker's figures show as done, each under its own source", async () => {
  const api = await startRole("http", { env: calm });
  const worker = await startRole("worker", { env: { ...calm, DB_DATABASE: api.databasePath }, migrate: false });
  await createClient(api.url).post(auth("password-reset/request"), { login: "nobody" });
  const job = "auth:send-password-reset";
  const read = async (url: string) => readExposition((await createClient(url).get("/metrics")).text);
  const deadline = performance.now() + 60_000;
  while ((await read(metricsUrl(worker))).sum("queue_jobs_processed_total", { name: job }) === 0) {
    if (performance.now() > deadline) throw new Error("the job was never counted");
    await Bun.sleep(20);
  }
  const [asked, done] = [await read(api.url), await read(metricsUrl(worker))];
  expect(asked.sum("queue_jobs_enqueued_total", { name: job, source: "http" })).toBe(1);
  expect(asked.sum("queue_jobs_processed_total")).toBe(0);
  expect(done.sum("queue_jobs_enqueued_total")).toBe(0);
  expect(done.sum("queue_jobs_processed_total", { name: job, source: "jobs" })).toBe(1);
  expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0]);
});

test("the admin app's figures say admin", async () => {
  const target = await startTarget({ app: "admin" });
  const { series } = readExposition((await createClient(target.url).get("/metrics")).text);
  expect(new Set(series.map(({ labels }) => labels.get("app")))).toEqual(new Set(["admin"]));
  await target.stop();
});

test.each([
  ["api", "METRICS_HTTP_PORT"],
  ["worker", "METRICS_JOBS_PORT"],
  ["scheduler", "METRICS_SCHEDULER_PORT"],
])("a %s whose port is taken ends with a message that names %s, and claims nothing", async (role, variable) => {
  const holder = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("mine") });
  const api = await startRole("http");
  await createClient(api.url).post(auth("password-reset/request"), { login: "nobody" });
  const { port } = holder;
  const { code, stdout } = await runGatehouse([role], {
    cwd: api.folder,
    env: { ...api.env, [variable]: String(port) },
  });
  await holder.stop(true);
  expect(code).toBe(1);
  expect(stdout).toContain(`metrics can't be served on 127.0.0.1:${port} (METRICS_HOST, ${variable})`);
  expect(stdout).not.toContain('"message":"started"');
  const rows = openRows(api.databasePath);
  expect(rows.get("select attempts, leased_until from jobs")).toEqual({ attempts: 0, leased_until: null });
  rows.close();
  await api.stop();
});

test("of two processes that share the HTTP port each serves its own figures on METRICS_HTTP_PORT", async () => {
  const shared = { ...calm, API_HTTP_REUSE_PORT: "true", METRICS_HTTP_PORT: "0" };
  const ada = await startRole("http", { env: shared });
  const same = { DB_DATABASE: ada.databasePath, API_HTTP_PORT: new URL(ada.url).port };
  const grace = await startRole("http", { env: { ...shared, ...same }, migrate: false });
  // Without keep-alive each request may reach another process.
  for (let number = 0; number < 60; number += 1)
    await fetch(new URL("/-/health", ada.url), { headers: { connection: "close" } });
  const counts = await Promise.all(
    [ada, grace].map(async (target) => {
      const { series, sum } = readExposition((await createClient(metricsUrl(target)).get("/metrics")).text);
      expect(new Set(series.map(({ labels }) => labels.get("source")))).toEqual(new Set(["http"]));
      return sum("http_requests_by_route_total", { route: "/-/health" });
    }),
  );
  expect(counts.every((count) => count > 0)).toBe(true);
  expect(await Promise.all([ada.stop(), grace.stop()])).toEqual([0, 0]);
});

test("with METRICS_ENABLED=false a worker opens no listener", async () => {
  const target = await startRole("worker", { env: { METRICS_ENABLED: "false" } });
  expect(target.logs()).not.toContain("serving metrics");
  expect(await target.stop()).toBe(0);
});

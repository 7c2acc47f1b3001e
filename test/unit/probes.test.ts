import { afterEach, expect, test } from "bun:test";
import { Elysia } from "elysia";
import type { ReadinessCheck } from "../../src/core/module.ts";
import { createHttpServer, createRequestFacts, httpPlugins } from "../../src/http/index.ts";
import { createProbes, createReadiness } from "../../src/probes/index.ts";
import { createRecorder } from "./http/site.ts";

const diagToken = "0123456789abcdef0123456789abcdef";
const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

const database = (check: () => Promise<void>): ReadinessCheck => ({
  type: "db",
  name: "default",
  driver: "sqlite",
  check,
});
const answers = database(async () => undefined);
const fails = database(async () => {
  throw new Error("disk I/O error at /srv/data/app.db");
});

async function serveProbes(checks: readonly ReadinessCheck[], token = diagToken) {
  const { log, lines } = createRecorder();
  const state = { draining: false };
  const facts = createRequestFacts({
    trustedProxies: [],
    own: { appUrl: new URL("http://localhost:3000"), loopback: false },
  });
  const runChecks = createReadiness({ checks, log });
  const probes = createProbes({ app: "app", diagToken: token, runChecks, isDraining: () => state.draining });
  const app = new Elysia().use(httpPlugins({ facts, log })).use(probes);
  const config = { host: "127.0.0.1", port: 0, reusePort: false };
  const server = createHttpServer({ app, config, appUrl: new URL("http://localhost:3000"), facts, log });
  const { url } = await server.start();
  running.push(() => server.stop(1000));
  return {
    lines,
    state,
    get: (path: string, authorization?: string) =>
      fetch(new URL(path, url), authorization === undefined ? {} : { headers: { authorization } }),
    head: (path: string) => fetch(new URL(path, url), { method: "HEAD" }),
  };
}

test("health is 200 and runs no check", async () => {
  let runs = 0;
  const site = await serveProbes([
    database(async () => {
      runs += 1;
    }),
  ]);
  const answer = await site.get("/-/health");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toEqual({ status: "ok" });
  expect((await site.head("/-/health")).status).toBe(200);
  expect(runs).toBe(0);
});

test("readiness is 200 when every check passes, 503 when one fails, and says no more in public", async () => {
  const ready = await serveProbes([answers]);
  const passed = await ready.get("/-/ready");
  expect(passed.status).toBe(200);
  expect(passed.headers.get("cache-control")).toBe("no-store");
  expect(await passed.json()).toEqual({ status: "ready", app: "app" });
  const broken = await serveProbes([answers, fails]);
  const refused = await broken.get("/-/ready");
  expect(refused.status).toBe(503);
  expect(await refused.json()).toEqual({ status: "not_ready", app: "app" });
  expect((await broken.head("/-/ready")).status).toBe(503);
  expect(broken.lines.filter(({ level }) => level === "error")).toMatchObject([
    { fields: { error: "disk I/O error at /srv/data/app.db" } },
  ]);
});

test("checks without which the app is ready have a quarter of the time, all of them together", async () => {
  const { log } = createRecorder();
  let begun = 0;
  const optional = {
    ...database(() => {
      begun += 1;
      return Promise.withResolvers<void>().promise;
    }),
    optional: true,
  };
  const asked = createReadiness({ checks: [answers, optional, optional], log, timeoutMs: 100 })();
  expect(begun).toBe(2);
  expect(await asked).toMatchObject([
    { status: "ok" },
    { status: "failed", error: "no answer within 25 ms" },
    { status: "failed", error: "no answer within 25 ms" },
  ]);
});

test("X-14 the diagnostic token shows each check; a wrong one gets the public body", async () => {
  const guarded = await serveProbes([answers, fails]);
  const shown = await guarded.get("/-/ready", `Bearer ${diagToken}`);
  expect(shown.status).toBe(503);
  expect(await shown.json()).toMatchObject({
    status: "not_ready",
    app: "app",
    checks: [
      { type: "db", name: "default", driver: "sqlite", status: "ok", duration_ms: expect.any(Number) },
      { type: "db", name: "default", driver: "sqlite", status: "failed", error: "disk I/O error at /srv/data/app.db" },
    ],
  });
  for (const wrong of [
    `Bearer ${diagToken}x`,
    `Bearer ${diagToken.slice(1)}`,
    `Basic ${diagToken}`,
    diagToken,
    "Bearer",
    "Bearer  ",
  ]) {
    expect(await (await guarded.get("/-/ready", wrong)).json()).toEqual({ status: "not_ready", app: "app" });
  }
});

test("X-14 an empty token authorises nobody", async () => {
  const site = await serveProbes([answers], "");
  for (const authorization of ["Bearer ", "Bearer", "Bearer undefined", ""]) {
    expect(await (await site.get("/-/ready", authorization)).json()).toEqual({ status: "ready", app: "app" });
  }
});

test("checks run one after another, and whoever asks meanwhile shares the run", async () => {
  const gate = Promise.withResolvers<void>();
  let together = 0;
  let most = 0;
  let runs = 0;
  const counted = database(async () => {
    runs += 1;
    together += 1;
    most = Math.max(most, together);
    await gate.promise;
    together -= 1;
  });
  const site = await serveProbes([counted, counted]);
  const asked = Array.from({ length: 50 }, () => site.get("/-/ready"));
  // All fifty have been taken in when a later request has been answered.
  await site.get("/-/health");
  gate.resolve();
  for (const answer of await Promise.all(asked)) expect(answer.status).toBe(200);
  expect(most).toBe(1);
  expect(runs).toBeLessThan(50);
});

test("a check that hangs fails after two seconds and is not started a second time", async () => {
  let runs = 0;
  const never = Promise.withResolvers<void>();
  const site = await serveProbes([
    database(() => {
      runs += 1;
      return never.promise;
    }),
  ]);
  const started = performance.now();
  const first = await site.get("/-/ready", `Bearer ${diagToken}`);
  expect(performance.now() - started).toBeGreaterThan(1900);
  expect(performance.now() - started).toBeLessThan(3000);
  expect(await first.json()).toMatchObject({ checks: [{ status: "failed", error: "no answer within 2000 ms" }] });
  expect((await site.get("/-/ready")).status).toBe(503);
  expect(runs).toBe(1);
});

test("readiness is 503 from the signal to stop on, health stays", async () => {
  const site = await serveProbes([answers]);
  expect((await site.get("/-/ready")).status).toBe(200);
  site.state.draining = true;
  const refused = await site.get("/-/ready");
  expect(refused.status).toBe(503);
  expect(await refused.json()).toEqual({ status: "not_ready", app: "app" });
  expect((await site.get("/-/health")).status).toBe(200);
});

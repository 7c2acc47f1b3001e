import { describe, expect, test } from "bun:test";
import { createRequestMetrics } from "../../src/http/metrics/requests.ts";
import { createMetrics } from "../../src/observe/metrics/index.ts";
import { contentType, writeExposition } from "../../src/observe/metrics/exposition.ts";
import { families } from "../../src/observe/metrics/families.ts";
import { createCounter, createDurations, type Sample } from "../../src/observe/metrics/series.ts";
import { readExposition } from "../support/exposition.ts";

const create = (app = "app") =>
  createMetrics({ app, source: "combined", build: { version: "1.2.3", revision: "abc" } });

test("a family that is full counts what is new as other", () => {
  const mostSeries = 500;
  const counter = createCounter<{ job: string }>(["job"]);
  for (let number = 0; number < mostSeries + 20; number += 1) counter.count({ job: `a${number}` });
  const samples = counter.samples();
  expect(samples).toHaveLength(mostSeries + 1);
  expect(samples.at(-1)).toEqual({ labels: { job: "other" }, value: 20 });
  counter.count({ job: "a0" });
  expect(counter.samples()[0]?.value).toBe(2);
});

test("buckets are cumulative, a value on a bound belongs to it, and +Inf has them all", () => {
  const durations = createDurations([0.1, 1]);
  for (const seconds of [0.05, 0.1, 0.5, 7]) durations.observe(seconds);
  const samples = durations.samples({ route: "/" }).map(({ labels, value, suffix }) => [suffix, labels["le"], value]);
  expect(samples).toEqual([
    ["_bucket", "0.1", 2],
    ["_bucket", "1", 3],
    ["_bucket", "+Inf", 4],
    ["_sum", undefined, 7.65],
    ["_count", undefined, 4],
  ]);
});

describe("the text format", () => {
  const write = (family: string, samples: readonly Sample[]): string =>
    writeExposition({ app: "app", source: "http" }, (name) => (name === family ? samples : []));
  /** Returns the part of one family, from its first heading line to the empty line that ends it. */
  const part = (name: string, samples: readonly Sample[]): string =>
    write(name, samples)
      .split("\n\n")
      .find((text) => text.startsWith(`# HELP ${name} `)) ?? "";

  test("is version 0.0.4", () => expect(contentType).toBe("text/plain; version=0.0.4; charset=utf-8"));

  test("has the two heading lines of every family in order, an empty line between, and a line end at the end", () => {
    const heading = Object.entries(families).map(
      ([name, { help, type }]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}`,
    );
    expect(write("http_requests_total", [])).toBe(`${heading.join("\n\n")}\n`);
  });

  test("puts the labels of every series first, then the sample's in its own order", () => {
    const labels = { method: "GET", status: "200" };
    expect(part("http_requests_total", [{ labels, value: 12 }])).toBe(
      [
        "# HELP http_requests_total HTTP requests answered",
        "# TYPE http_requests_total counter",
        'http_requests_total{app="app",source="http",method="GET",status="200"} 12',
      ].join("\n"),
    );
  });

  test("writes a histogram as buckets, sum and count", () => {
    const durations = createDurations([0.5]);
    durations.observe(0.25);
    durations.observe(2);
    const lines = part("runtime_event_loop_lag_seconds", durations.samples({})).split("\n").slice(1);
    expect(lines).toEqual([
      "# TYPE runtime_event_loop_lag_seconds histogram",
      'runtime_event_loop_lag_seconds_bucket{app="app",source="http",le="0.5"} 1',
      'runtime_event_loop_lag_seconds_bucket{app="app",source="http",le="+Inf"} 2',
      'runtime_event_loop_lag_seconds_sum{app="app",source="http"} 2.25',
      'runtime_event_loop_lag_seconds_count{app="app",source="http"} 2',
    ]);
  });

  test("escapes what would end a value or a line", () => {
    const [, , line] = part("inspects_dropped_total", [{ labels: { reason: 'a"b\\c\nd' }, value: 1 }]).split("\n");
    expect(line).toBe(String.raw`inspects_dropped_total{app="app",source="http",reason="a\"b\\c\nd"} 1`);
  });

  test.each([
    [0, "0"],
    [0.1 + 0.2, "0.30000000000000004"],
    [1e21, "1e+21"],
    [Number.POSITIVE_INFINITY, "+Inf"],
    [Number.NEGATIVE_INFINITY, "-Inf"],
    [Number.NaN, "NaN"],
  ])("writes %p as %s", (value, written) => {
    expect(
      part("runtime_heap_used_bytes", [{ labels: {}, value }])
        .split(" ")
        .at(-1),
    ).toBe(written);
  });
});

test("two apps in one process have figures of their own", async () => {
  const [app, admin] = [create("app"), create("admin")];
  app.jobs.enqueued("auth:send-notice");
  const text = { app: await app.scrape(), admin: await admin.scrape() };
  app.close();
  admin.close();
  expect(text.app).not.toContain('app="admin"');
  expect(readExposition(text.app).sum("queue_jobs_enqueued_total")).toBe(1);
  expect(readExposition(text.admin).sum("queue_jobs_enqueued_total")).toBe(0);
});

test("a job that this release does not know counts as unknown", async () => {
  const metrics = create();
  metrics.jobs.register("auth:send-notice");
  metrics.jobs.started("gone:since-then");
  metrics.jobs.ended("gone:since-then", "archived");
  metrics.jobs.buried("' or 1=1");
  const exposition = readExposition(await metrics.scrape());
  metrics.close();
  expect(exposition.sum("queue_jobs_archived_total", { name: "unknown" })).toBe(2);
  expect(exposition.sum("queue_jobs_failed_total", { name: "unknown" })).toBe(1);
  expect(exposition.sum("queue_jobs_inflight")).toBe(0);
  expect(exposition.series.filter(({ name }) => name === "queue_jobs_archived_total")).toHaveLength(2);
});

test("how an attempt ended decides what it counts as", async () => {
  const metrics = create();
  const job = "auth:send-notice";
  metrics.jobs.register(job);
  for (const end of ["done", "retried", "archived", "failed", "dropped"] as const) {
    metrics.jobs.started(job);
    metrics.jobs.ended(job, end);
  }
  metrics.jobs.started(job);
  const exposition = readExposition(await metrics.scrape());
  metrics.close();
  const counts = ["processed", "failed", "retried", "archived"].map((what) =>
    exposition.sum(`queue_jobs_${what}_total`, { name: job }),
  );
  expect(counts).toEqual([4, 3, 1, 1]);
  expect(exposition.sum("queue_jobs_inflight", { name: job })).toBe(1);
});

test("a scrape that is under way answers whoever else asks", async () => {
  const metrics = create();
  const [first, second] = await Promise.all([metrics.scrape(), metrics.scrape()]);
  metrics.close();
  expect(second).toBe(first);
});

describe("requests are counted by pattern", () => {
  const paths = ["/", "/api/v1/hello", "/s/:id/revoke", "/s/mine/revoke", "/w/*"];
  const routeOf = (path: string, method = "GET"): readonly (readonly [string, string])[] => {
    const metrics = createRequestMetrics(paths.map((route) => ({ method: "GET", path: route })));
    metrics.answered(method, path, 200, performance.now());
    return metrics.routes().map((figures) => [figures.method, figures.route]);
  };
  test.each([
    ["/", "/"],
    ["/api/v1/hello", "/api/v1/hello"],
    ["/api/v1/hello/", "/api/v1/hello"],
    ["/s/4711/revoke", "/s/:id/revoke"],
    ["/s/4711/revoke/", "/s/:id/revoke"],
    ["/s/mine/revoke", "/s/mine/revoke"],
    ["/s//revoke", "unmatched"],
    ["/s/:id/revoke/more", "unmatched"],
    ["/w/a/b", "/w/*"],
    ["/API/v1/hello", "unmatched"],
    ["", "unmatched"],
    ["/__proto__", "unmatched"],
    ["/constructor", "unmatched"],
  ])("%s is %s", (path, route) => {
    expect(routeOf(path)).toEqual([["GET", route]]);
  });

  test.each([
    ["POST", "POST"],
    ["BREW", "other"],
    ["other", "other"],
    ["__proto__", "other"],
    ["get", "other"],
  ])("the method %s is %s", (method, label) => {
    expect(routeOf("/", method)).toEqual([[label, "/"]]);
  });
});

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { families, type FamilyName } from "../src/observe/metrics/families.ts";
import { readExposition, type Exposition } from "./support/exposition.ts";
import { readExpression } from "./support/promql.ts";
import { createPeople } from "./support/auth.ts";
import { createClient } from "./support/client.ts";
import { endTargetsAfterEach, startTarget } from "./support/target.ts";

endTargetsAfterEach();

const folder = join(import.meta.dir, "..", "systemd", "monitoring");
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

const Rules = Type.Object({
  groups: Type.Array(
    Type.Object({
      name: Type.String(),
      rules: Type.Array(
        Type.Object({
          alert: Type.String({ pattern: "^Gatehouse[A-Z][A-Za-z]+$" }),
          expr: Type.String(),
          for: Type.Optional(Type.String({ pattern: "^\\d+[smh]$" })),
          labels: Type.Object({ severity: Type.Union([Type.Literal("critical"), Type.Literal("warning")]) }),
          annotations: Type.Object({ summary: Type.String(), action: Type.String() }),
        }),
      ),
    }),
  ),
});
const Panel = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  targets: Type.Optional(Type.Array(Type.Object({ expr: Type.String(), legendFormat: Type.String() }))),
});
const Dashboard = Type.Object({
  panels: Type.Array(Panel),
  templating: Type.Object({ list: Type.Array(Type.Object({ name: Type.String(), query: Type.String() })) }),
});

const rules = Value.Parse(Rules, Bun.YAML.parse(read("gatehouse.rules.yml"))).groups.flatMap((group) => group.rules);
const dashboard = Value.Parse(Dashboard, JSON.parse(read("gatehouse.dashboard.json")));
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);
const queries = dashboard.templating.list.filter(({ query }) => query.startsWith("label_values"));

/** Metrics that Prometheus and the blackbox exporter make themselves, with the labels that prometheus.yml gives to them. */
const ofOthers: Readonly<Record<string, readonly string[]>> = {
  up: ["job", "instance", "unit"],
  probe_success: ["job", "instance", "module"],
  probe_ssl_earliest_cert_expiry: ["job", "instance", "module"],
};
const isOwn = (metric: string): boolean => ofOthers[metric] === undefined;

const isFamily = (name: string): name is FamilyName => Object.hasOwn(families, name);
/** The family of a series: a histogram's are named with a suffix, and only with it. */
function familyOf(metric: string): FamilyName {
  const name = metric.replace(/_(?:bucket|sum|count)$/, "");
  const family = isFamily(metric) ? metric : name;
  if (!isFamily(family)) throw new Error(`there is no metric ${metric}`);
  if ((families[family].type === "histogram") !== (family !== metric)) throw new Error(`${metric} has no series`);
  return family;
}

/** Everything that is wrong with an expression. */
function complaints(expression: string): string[] {
  try {
    const { metrics, labels } = readExpression(expression.replaceAll("$__rate_interval", "5m"));
    const known = new Set([
      "app",
      "source",
      "le",
      "instance",
      ...metrics.flatMap((metric) => ofOthers[metric] ?? [...families[familyOf(metric)].labels]),
    ]);
    return labels.filter((label) => !known.has(label)).map((label) => `no such label here: ${label}`);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

test.each(rules.map(({ alert, expr }) => [alert, expr]))("alert %s asks for what there is", (_, expr) => {
  expect(complaints(expr)).toEqual([]);
  expect(readExpression(expr).metrics).not.toEqual([]);
});

test("no family has a label that a scrape gives the target: Prometheus would rename it", () => {
  const reserved = new Set(["job", "instance"]);
  for (const { labels } of Object.values(families)) expect(labels.filter((label) => reserved.has(label))).toEqual([]);
});

test("alerts have names of their own", () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

test.each(panels.map(({ title, expr }) => [title, expr]))("panel %s asks for what there is", (_, expr) => {
  expect(complaints(expr)).toEqual([]);
});

test("the dashboard's variables and legends name labels that there are", () => {
  expect(queries).toHaveLength(2);
  for (const { query } of queries) {
    const [, selector = "", label = ""] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
    expect(complaints(`sum by (${label}) (${selector})`)).toEqual([]);
  }
  for (const { expr, legendFormat } of panels) {
    const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
    if (named.length > 0) expect(complaints(`sum by (${named.join(", ")}) (${expr})`)).toEqual([]);
  }
});

test("every family is on the dashboard or in an alert", () => {
  const used = [...rules, ...panels].flatMap(({ expr }) =>
    readExpression(expr.replaceAll("$__rate_interval", "5m")).metrics.filter(isOwn).map(familyOf),
  );
  expect(Object.keys(families).filter((name) => isFamily(name) && !used.includes(name))).toEqual([]);
});

describe("against what a running app says", () => {
  /** What selectors may ask for although this traffic does not bring it about. */
  const unseen: Readonly<Record<string, readonly string[]>> = {
    source: ["http"],
    app: ["admin"],
    status: ["failed"],
    reason: ["account_locked", "rate_limited", "overloaded"],
  };

  async function exposition(): Promise<Exposition> {
    const target = await startTarget({
      env: { APP_ENV: "testing", BACKUP_DISK: "default", BACKUP_CHANGES_INTERVAL: "10s" },
    });
    const ada = await createPeople(target.url).register("ada");
    await ada.client.get("/api/v1/hello");
    await ada.client.get("/api/v1/auth/me");
    await createClient(target.url).post("/api/v1/auth/login", { login: ada.email, password: "wrong" });
    const text = (await createClient(target.url).get("/metrics")).text;
    await target.stop();
    return readExposition(text);
  }

  test("every metric and every label value that is asked for exists", async () => {
    const { types, series } = await exposition();
    const valuesOf = (label: string): ReadonlySet<string | undefined> =>
      new Set([...series.map(({ labels }) => labels.get(label)), ...(unseen[label] ?? [])]);
    for (const { expr } of [...rules, ...panels]) {
      const { metrics, values } = readExpression(expr.replaceAll("$__rate_interval", "5m"));
      if (!metrics.every(isOwn)) continue;
      for (const metric of metrics) expect([...types.keys()]).toContain(familyOf(metric));
      for (const { label, value } of values) expect([label, ...valuesOf(label)]).toContain(value);
    }
  });
});

describe("the check itself", () => {
  test.each([
    ["sum(rate(http_request_total[5m]))", "there is no metric http_request_total"],
    ["rate(http_request_duration_seconds[5m])", "http_request_duration_seconds has no series"],
    ["http_requests_total_count", "http_requests_total_count has no series"],
    ["sum by (route) (http_requests_total)", "no such label here: route"],
    ['http_requests_total{code="200"}', "no such label here: code"],
    ["sum(http_requests_total", '"(" is not closed'],
    ["sum(http_requests_total[5m)]", '")" closes nothing'],
    ["summ(http_requests_total)", "summ is not a function"],
    ["http_requests_total{status}", "the selector of status has no value"],
    ["http_requests_total & 1", 'not PromQL from "& 1" on'],
  ])("%s: %s", (expr, complaint) => {
    expect(complaints(expr).join()).toContain(complaint);
  });
});

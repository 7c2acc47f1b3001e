import { beforeAll, describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPeople } from "./support/auth.ts";
import { createClient } from "./support/client.ts";
import { sharedFolder } from "./support/folder.ts";
import { endTargetsAfterEach, startTarget } from "./support/target.ts";

// The alert rules by Prometheus's own tool, over series that a running app has, as they are scraped and as they are while a part is down.
endTargetsAfterEach();
const lack = Bun.which("promtool") === null ? "promtool" : undefined;
const title = lack === undefined ? "alert rules" : `alert rules (needs ${lack})`;
const folder = join(import.meta.dir, "..", "systemd", "monitoring");
const rulesPath = join(folder, "gatehouse.rules.yml");
const work = sharedFolder();

const promtool = (...args: readonly string[]) => {
  const ran = Bun.spawnSync({ cmd: ["promtool", ...args], cwd: folder, stderr: "pipe" });
  return { code: ran.exitCode, said: `${ran.stdout.toString()}${ran.stderr.toString()}` };
};

/** Series by their names with labels, each with its values every 15 seconds, as promtool writes them. */
type Series = Readonly<Record<string, string>>;
interface Expected {
  readonly at: string;
  readonly alert: string;
  /** The labels of the alerts that fire then. Empty: none does. */
  readonly fires: readonly Readonly<Record<string, string>>[];
}

const names = async (): Promise<readonly string[]> =>
  [...(await readFile(rulesPath, "utf8")).matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);

let count = 0;
async function judge(series: Series, expected: readonly Expected[]): Promise<string> {
  const path = join(work, `${(count += 1)}.yml`);
  const tests = {
    rule_files: [rulesPath],
    evaluation_interval: "15s",
    tests: [
      {
        interval: "15s",
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: expected.map(({ at, alert, fires }) => ({
          eval_time: at,
          alertname: alert,
          // Texts are compared, too, unless all that is asked is that nothing fires.
          exp_alerts: fires.map((labels) => ({ exp_labels: labels })),
        })),
      },
    ],
  };
  await writeFile(path, JSON.stringify(tests));
  return promtool("test", "rules", path).said;
}

const api = { job: "gatehouse", instance: "127.0.0.1:10021", unit: "gatehouse-api@1" };
const labelled = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(",");
const up = `up{${labelled(api)}}`;
const ready = `app_ready{${labelled({ ...api, app: "app", source: "http" })}}`;

/** The series of an app that was just used, each for three hours as it is. */
let scraped: Series = {};
beforeAll(async () => {
  if (lack !== undefined) return;
  const target = await startTarget({ env: { APP_ENV: "testing", BACKUP_DISK: "default", METRICS_ENABLED: "true" } });
  const ada = await createPeople(target.url).register("ada");
  await ada.client.get("/api/v1/hello");
  const { text } = await createClient(target.url).get("/metrics");
  await target.stop();
  const lines = [...text.matchAll(/^(\w+)\{(.+)\} (\S+)$/gm)];
  scraped = {
    [up]: "1x720",
    ...Object.fromEntries(
      lines.map(([, name = "", labels = "", value = ""]) => [`${name}{${labelled(api)},${labels}}`, `${value}x720`]),
    ),
  };
}, 60_000);

/** What fires in the words of promtool: it compares texts too, so that expected alerts are found by what it got. */
const fired = (said: string): readonly string[] =>
  [...said.matchAll(/Labels:(\{[^}]*\})/g)].map(([, labels = ""]) => labels);

describe.skipIf(lack !== undefined)(title, () => {
  test("promtool takes the rules and the configuration", () => {
    expect(promtool("check", "rules", rulesPath)).toMatchObject({ code: 0 });
    expect(promtool("check", "config", "--syntax-only", join(folder, "prometheus.yml"))).toMatchObject({ code: 0 });
  });

  test("R-74 of an app that is well no alert fires, at any time in hours", async () => {
    expect(Object.keys(scraped).length).toBeGreaterThan(200);
    const all = (await names()).flatMap((alert) =>
      ["2m", "10m", "1h", "2h50m"].map((at) => ({ at, alert, fires: [] })),
    );
    expect(await judge(scraped, all)).toContain("SUCCESS");
  });

  const quiet: readonly (readonly [string, Series, string])[] = [
    ["a process that is away for 45 s, as in a release", { [up]: "1x20 0x2 1x200" }, "GatehouseDown"],
    [
      "an instance that drains and starts, every two minutes",
      { [ready]: "1x6 0 0 1x6 0 0 1x6 0 0 1x6 0 0 1x6" },
      "GatehouseNotReady",
    ],
    [
      "jobs that wait for half a minute",
      { 'queue_oldest_job_seconds{app="app",queue="default"}': "0 15 30x200" },
      "GatehouseQueueLate",
    ],
    [
      "one mail that is refused among others",
      {
        [`mail_sends_total{${labelled({ app: "app", status: "failed" })}}`]: "0x8 1x40",
        [`mail_sends_total{${labelled({ app: "app", status: "ok" })}}`]: "0+1x48",
      },
      "GatehouseMailFailing",
    ],
    [
      "a certificate that ends in 20 days",
      { 'probe_ssl_earliest_cert_expiry{job="gatehouse-outside"}': "1728000x48" },
      "GatehouseCertificateEnds",
    ],
  ];
  test.each(quiet)("R-74 %s: nothing is told", async (_, series, alert) => {
    const times = ["1m", "2m", "3m", "4m", "5m", "6m", "8m", "10m"];
    expect(
      await judge(
        series,
        times.map((at) => ({ at, alert, fires: [] })),
      ),
    ).toContain("SUCCESS");
  });

  /** Series that change five minutes after the begin, and the alert that has to fire three minutes later and not before. */
  const told: readonly (readonly [string, Series, string, string])[] = [
    ["a process that is down", { [up]: "1x20 0x60" }, "GatehouseDown", 'unit="gatehouse-api@1"'],
    ["no process is scraped", { 'up{job="other"}': "1x80" }, "GatehouseAbsent", 'job="gatehouse"'],
    ["an instance that is not ready", { [ready]: "1x20 0x60" }, "GatehouseNotReady", 'unit="gatehouse-api@1"'],
    [
      "a disk of backups that is away",
      {
        [ready]: "1x80",
        [`app_check_ready{${labelled({ ...api, app: "app", type: "storage", name: "default" })}}`]: "1x20 0x60",
      },
      "GatehouseCheckFailing",
      'type="storage"',
    ],
    [
      "jobs that wait",
      { 'queue_oldest_job_seconds{app="app",queue="default"}': "0x20 0+15x60" },
      "GatehouseQueueLate",
      'queue="default"',
    ],
    [
      "an address that does not answer",
      {
        'probe_success{job="gatehouse-outside",module="gatehouse_ready",instance="https://auth.example.com/-/ready"}':
          "1x20 0x60",
      },
      "GatehouseUnreachable",
      'module="gatehouse_ready"',
    ],
    [
      "a relay that does not greet",
      { 'probe_success{job="gatehouse-outside",module="gatehouse_relay",instance="127.0.0.1:25"}': "1x20 0x60" },
      "GatehouseRelayDown",
      'module="gatehouse_relay"',
    ],
    [
      "nobody who looks from outside",
      { 'up{job="gatehouse-outside"}': "1x20 0x60" },
      "GatehouseUnwatched",
      'job="gatehouse-outside"',
    ],
    [
      "mails that the relay refuses",
      {
        'mail_sends_total{app="app",status="failed"}': "0x20 1 1 2 2 3 3 4x60",
        'mail_sends_total{app="app",status="ok"}': "0x80",
      },
      "GatehouseMailFailing",
      'app="app"',
    ],
    [
      "a certificate that ends in a week",
      { 'probe_ssl_earliest_cert_expiry{job="gatehouse-outside"}': "604800x80" },
      "GatehouseCertificateEnds",
      'job="gatehouse-outside"',
    ],
  ];
  test.each(told)("R-74 %s: it is told within three minutes", async (_, series, alert, label) => {
    const said = await judge(series, [{ at: "8m", alert, fires: [] }]);
    expect(said).toContain("FAILED");
    expect(fired(said).join()).toContain(label);
    // Before it began there was nothing, but for what is so from the start.
    const before = await judge(series, [{ at: "5m", alert, fires: [] }]);
    expect(before).toContain(/_expiry|other/.test(Object.keys(series).join()) ? "FAILED" : "SUCCESS");
  });
});

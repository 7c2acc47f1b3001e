import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { monitoredHost, type Alert } from "./monitored.ts";
import { certificate } from "./surroundings.ts";
import { whyNoMachine } from "../release/machine.ts";
import { testTarget } from "../support/process.ts";

// Stops each part of a host in turn, under a real Prometheus with the rules as they are shipped, and then releases for long without an alert.
const tools = ["prometheus", "promtool", "prometheus-blackbox-exporter", "faketime"].filter(
  (tool) => Bun.which(tool) === null,
);
const lack =
  testTarget === "binary" ? (whyNoMachine() ?? (tools.join(", ") || undefined)) : "GATEHOUSE_TEST_TARGET=binary";
const title = lack === undefined ? "alerts of a host" : `alerts of a host (needs ${lack})`;
const limitMs = 600_000;
const minutes = Number(process.env["GATEHOUSE_RELEASE_MINUTES"] ?? "60");

let host: Awaited<ReturnType<typeof monitoredHost>>;
beforeAll(async () => {
  if (lack === undefined) host = await monitoredHost();
}, limitMs);
afterAll(() => host?.stop(), limitMs);

/** A part, what stops it, and the alert that tells of it. */
type Part = readonly [part: string, stop: string, name: string, labels: Alert["labels"]];

/** Stops the parts one after the other, and resolves to how many seconds later each was told. */
async function tell(parts: readonly Part[]): Promise<Readonly<Record<string, number>>> {
  const told: Record<string, Promise<number>> = {};
  for (const [part, stop, name, labels] of parts) {
    if (stop === "the relay") await host.relay.stop();
    else await host.ok(stop);
    told[part] = host.toldAfter({ name, labels });
  }
  const seconds: Record<string, number> = {};
  for (const [part, at] of Object.entries(told)) seconds[part] = await at;
  expect(Math.max(...Object.values(seconds))).toBeLessThanOrEqual(180);
  process.stdout.write(`${JSON.stringify(seconds)}\n`);
  return seconds;
}

const down = (unit: string): Part => [unit, `systemctl stop ${unit}`, "GatehouseDown", { unit }];
const start = (...units: readonly string[]): string => `systemctl start ${units.join(" ")}`;

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "R-74 what is stopped is told within three minutes: processes of both apps, the proxy, the relay, jobs that wait",
    async () => {
      expect(await host.firing()).toEqual([]);
      await tell([
        down("gatehouse-api@1"),
        down("gatehouse-worker"),
        ["a job that waits", "gatehouse user:send-reset ada@example.com", "GatehouseQueueLate", { app: "app" }],
        down("gatehouse-admin-api@2"),
        down("gatehouse-admin-worker"),
        ["the proxy", "systemctl stop nginx", "GatehouseUnreachable", { instance: "https://auth.example.com/-/ready" }],
        ["the relay", "the relay", "GatehouseRelayDown", { instance: "127.0.0.1:25" }],
      ]);
      await host.relay.start();
      await host.ok(
        start("nginx", "gatehouse-api@1", "gatehouse-worker", "gatehouse-admin-api@2", "gatehouse-admin-worker"),
      );
      await host.quiet();
    },
    limitMs,
  );

  test(
    "R-74 what is stopped is told within three minutes: the other processes, a certificate, the disk of backups, the database",
    async () => {
      await tell([
        down("gatehouse-api@2"),
        down("gatehouse-scheduler"),
        down("gatehouse-admin-api@1"),
        [
          "a certificate that ends in five days",
          `${certificate("25")}; systemctl reload nginx`,
          "GatehouseCertificateEnds",
          {},
        ],
        [
          "the disk of backups",
          "mount -t tmpfs -o ro tmpfs /var/lib/gatehouse/storage && for u in gatehouse-api@1 gatehouse-worker; do nsenter -t $(systemctl show -P MainPID $u) -m mount -t tmpfs -o ro tmpfs /var/lib/gatehouse/storage; done",
          "GatehouseCheckFailing",
          { type: "storage" },
        ],
      ]);
      await host.ok(
        `umount /var/lib/gatehouse/storage; systemctl restart gatehouse-api@1 gatehouse-worker; ${certificate("110")}; systemctl reload nginx`,
      );
      await host.ok(start("gatehouse-api@2", "gatehouse-scheduler", "gatehouse-admin-api@1"));
      await host.quiet();
      await tell([
        [
          "the database",
          "systemd-run --quiet --unit=holder -- bash -c \"(echo 'begin exclusive;'; sleep 400) | sqlite3 /var/lib/gatehouse/app.db\"",
          "GatehouseNotReady",
          { unit: "gatehouse-api@1" },
        ],
        ["who looks from outside", "systemctl stop prometheus-blackbox-exporter", "GatehouseUnwatched", {}],
      ]);
      await host.ok(`systemctl stop holder; ${start("prometheus-blackbox-exporter")}`);
      await host.quiet();
      await tell([
        ["a certificate that has ended", `${certificate("19")}; systemctl reload nginx`, "GatehouseUnreachable", {}],
      ]);
      await host.ok(`${certificate("110")}; systemctl reload nginx`);
      await host.quiet();
    },
    limitMs,
  );

  test(
    "R-74 releases, one a minute for an hour, are told by no alert",
    async () => {
      const until = Date.now() + minutes * 60_000;
      const login = `curl -s -o /dev/null -H 'content-type: application/json' -d '{"login":"ada@example.com","password":"a long walk by the sea"}' https://auth.example.com/api/v1/auth/login`;
      // What fired before has left its traces for as long.
      await host.ok("systemctl stop prometheus; rm -rf /var/lib/prometheus/metrics2/*; systemctl start prometheus");
      for (let count = 0; Date.now() < until; count += 1) {
        const app = count % 3 === 2 ? "gatehouse-admin" : "gatehouse";
        const began = Date.now();
        await host.ok(`${login}; gatehouse user:send-reset ada@example.com; ${app} release:restart --settle 1`);
        await Bun.sleep(Math.max(0, 60_000 - (Date.now() - began)));
      }
      expect(await host.fired(minutes + 1)).toContain('"result":[]');
    },
    (minutes + 10) * 60_000,
  );
});

import { join } from "node:path";
import { bootMachine, type Machine } from "../release/machine.ts";
import { makeSurroundings, proxied, within } from "./surroundings.ts";
import { manual } from "../support/manual.ts";
import { shellBlocks } from "../support/markdown.ts";

const dist = join(import.meta.dir, "..", "..", "dist");
const installLimitMs = 120_000;
/** A bound for each alert: Prometheus looks every 15 seconds, and no rule waits for longer than a minute. */
const toldLimitMs = 180_000;

export interface Alert {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What Prometheus asks: seven processes, both apps from outside, and the relay. */
const targets = 10;

interface Asked {
  readonly data: {
    readonly alerts: readonly { readonly state: string; readonly labels: Readonly<Record<string, string>> }[];
  };
}

/** A host with both apps, nginx, a relay and a Prometheus that was set up as the manual says. */
export async function monitoredHost() {
  const machine = await bootMachine();
  for (const name of ["gatehouse", "gatehouse-admin"])
    for (const file of [name, `${name}.sha256`]) await machine.copy(join(dist, file), `/root/${file}`);
  const ok = (script: string): Promise<string> => machine.ok(`set -e\n${script}`, { limitMs: installLimitMs });
  const { relay } = await makeSurroundings(machine);
  await ok("chmod 755 gatehouse gatehouse-admin; ./gatehouse host:install --url https://auth.example.com");
  await ok(`./gatehouse-admin host:install --url https://admin.auth.example.com\n${proxied}`);
  await ok("echo 'a long walk by the sea' | gatehouse auth:create-user --email ada@example.com --verified");
  await ok(`apt-get() { :; }\n${shellBlocks(manual, "Alerts").join("\n")}`);
  await within(90_000, "Prometheus has not scraped everything", async () => {
    const { output } = await machine.run("curl -sg 'http://127.0.0.1:9090/api/v1/query?query=count(up==1)'");
    return output.includes(`"${targets}"`);
  });
  return {
    machine,
    ok,
    relay,
    firing: () => firing(machine),
    toldAfter: (asked: Alert) => toldAfter(machine, asked),
    async stop(): Promise<void> {
      await relay.stop();
      await machine.stop();
    },
    /** Resolves once no alert fires. */
    quiet: () => within(toldLimitMs, "alerts go on", async () => (await firing(machine)).length === 0),
    /** Resolves to the names of all alerts that have fired in the last minutes. */
    async fired(minutes: number): Promise<string> {
      const query = `count by (alertname, unit, instance) (max_over_time(ALERTS{alertstate="firing"}[${minutes}m]))`;
      return machine.ok(`curl -sfG http://127.0.0.1:9090/api/v1/query --data-urlencode 'query=${query}'`);
    },
  };
}

async function firing(machine: Machine): Promise<readonly Alert[]> {
  const { data }: Asked = JSON.parse(await machine.ok("curl -sf http://127.0.0.1:9090/api/v1/alerts"));
  return data.alerts
    .filter(({ state }) => state === "firing")
    .map(({ labels: { alertname = "", ...labels } }) => ({ name: alertname, labels }));
}

/** Resolves to the seconds until Prometheus fires the alert with these labels. */
async function toldAfter(machine: Machine, { name, labels }: Alert): Promise<number> {
  const begun = performance.now();
  await within(toldLimitMs, `${name} ${JSON.stringify(labels)} is not told`, async () =>
    (await firing(machine)).some(
      (alert) => alert.name === name && Object.entries(labels).every(([label, value]) => alert.labels[label] === value),
    ),
  );
  return Math.round((performance.now() - begun) / 1_000);
}

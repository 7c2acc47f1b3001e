import type { HostApp } from "./host.app.ts";
import { isOn, type Settings } from "./settings.ts";
import type { HostUnits } from "./topology.ts";

interface Targets {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

// JSON is YAML, too, and needs no care of quotes.
const textOf = (groups: readonly Targets[]): string =>
  `# Made by host:install, which follows the settings. prometheus.yml beside it reads it.\n[\n${groups
    .map((group) => `  ${JSON.stringify(group)}`)
    .join(",\n")}\n]\n`;

/** Lists the processes of an app that have metrics, and none that a topology does without: a target that never runs hides those that are down. */
export function metricsTargets({ scraped }: HostUnits, settings: Settings): string {
  const isOff = settings["METRICS_ENABLED"] !== undefined && !isOn(settings["METRICS_ENABLED"]);
  const groups = isOff ? [] : scraped;
  return textOf(
    groups.map(({ unit, port }) => ({
      targets: [`127.0.0.1:${port}`],
      labels: { unit: unit.replace(/\.service$/, "") },
    })),
  );
}

/** Lists what the blackbox exporter looks at: the app as people reach it, and the relay that takes its mail. */
export function outsideTargets(app: HostApp, settings: Settings): string {
  const read = (variable: string): string | undefined => settings[variable] || undefined;
  const address = read(app === "gatehouse" ? "APP_URL" : "ADMIN_APP_URL");
  const groups: Targets[] = [];
  if (address !== undefined)
    groups.push({ targets: [`${URL.parse(address)?.origin}/-/ready`], labels: { module: "gatehouse_ready", app } });
  const relay = read("MAIL_SMTP_HOST");
  if (app === "gatehouse" && settings["MAIL_DRIVER"] === "smtp" && relay !== undefined) {
    const [port, tls] = [read("MAIL_SMTP_PORT") ?? "587", read("MAIL_SMTP_TLS") ?? "auto"];
    const isWrapped = tls === "implicit" || (tls === "auto" && port === "465");
    const host = relay.includes(":") ? `[${relay}]` : relay;
    const module = isWrapped ? "gatehouse_relay_tls" : "gatehouse_relay";
    groups.push({ targets: [`${host}:${port}`], labels: { module, app } });
  }
  return textOf(groups);
}

import type { HostApp } from "./host.app.ts";
import type { Settings, Topology } from "./settings.ts";
import { metricsTargets, outsideTargets } from "./targets.ts";
import { textOf, unitPaths } from "./texts.ts";
import { hostUnits } from "./topology.ts";

export { hostApps, type HostApp } from "./host.app.ts";

/** A file that an installation writes on a host, and updates as long as nobody has edited it there. */
export interface HostFile {
  /** Absolute path on the host. */
  readonly path: string;
  readonly mode: number;
  readonly text: string;
}

/** What an installation is, as far as its files say so. */
export interface Installation {
  readonly topology: Topology;
  readonly settings: Settings;
}

/** The host names to put into the examples. */
interface ExampleNames {
  /** The host of APP_URL. */
  readonly name: string;
  /** The host of ADMIN_APP_URL. */
  readonly adminName: string;
}

function namesIn(settings: Settings): ExampleNames {
  const nameIn = (variable: string): string | undefined => URL.parse(settings[variable] ?? "")?.hostname;
  const name = nameIn("APP_URL") ?? "auth.example.com";
  return { name, adminName: nameIn("ADMIN_APP_URL") ?? `admin.${name}` };
}

const unitFolder = "/etc/systemd/system";
export const exampleFolder = "/usr/local/share/gatehouse";
export const sysusersPath = "/etc/sysusers.d/gatehouse.conf";
export const sysctlPath = "/etc/sysctl.d/60-gatehouse.conf";

/** Files for other programs, for an operator to copy: proxies, monitoring and PostgreSQL. */
const examples: Readonly<Record<HostApp, readonly string[]>> = {
  gatehouse: [
    "proxy/nginx.conf",
    "proxy/haproxy.cfg",
    "proxy/haproxy.hosts.cfg",
    "proxy/haproxy.patroni.cfg",
    "gatehouse.hosts.env.example",
    "monitoring/gatehouse.dashboard.json",
    "monitoring/gatehouse.rules.yml",
    "monitoring/prometheus.yml",
    "monitoring/blackbox.yml",
    "postgres/gatehouse.conf",
    "postgres/pg_hba.conf",
    "postgres/patroni.yml",
  ],
  "gatehouse-admin": ["proxy/nginx.admin.conf"],
};

/** Returns every file of an app except settings and secrets. Files that both apps need belong to the API app, which is installed first. */
export function hostFiles(app: HostApp, { topology, settings }: Installation): readonly HostFile[] {
  const { name, adminName } = namesIn(settings);
  const targets = (kind: string, text: string): HostFile => ({
    path: `${exampleFolder}/monitoring/${app}.${kind}.yml`,
    mode: 0o644,
    text,
  });
  const file = (path: string, source: string, mode = 0o644): HostFile => ({ path, mode, text: textOf(source) });
  const isOwn = (unit: string): boolean => unit.startsWith("gatehouse-admin") === (app === "gatehouse-admin");
  const shared = [file(sysusersPath, "sysusers.conf"), file(sysctlPath, "sysctl.conf")];
  return [
    ...unitPaths.filter(isOwn).map((unit) => file(`${unitFolder}/${unit}`, `units/${unit}`)),
    ...(app === "gatehouse" ? shared : []),
    file(`/usr/local/sbin/${app}`, "gatehouse-command", 0o755),
    ...examples[app].map((source) => {
      const { text, ...example } = file(`${exampleFolder}/${source.replace("proxy/", "")}`, source);
      const named = text.replaceAll("admin.auth.example.com", adminName).replaceAll("auth.example.com", name);
      return { ...example, text: named };
    }),
    targets("targets", metricsTargets(hostUnits(app, topology, settings), settings)),
    targets("outside", outsideTargets(app, settings)),
  ];
}

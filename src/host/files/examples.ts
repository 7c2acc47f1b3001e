import hosts from "../../../systemd/gatehouse.hosts.env.example" with { type: "text" };
import dashboard from "../../../systemd/monitoring/gatehouse.dashboard.json";
import rules from "../../../systemd/monitoring/gatehouse.rules.yml" with { type: "text" };
import scrapes from "../../../systemd/monitoring/prometheus.yml" with { type: "text" };
import postgresAccess from "../../../systemd/postgres/pg_hba.conf" with { type: "text" };
import postgres from "../../../systemd/postgres/gatehouse.conf" with { type: "text" };
import haproxy from "../../../systemd/proxy/haproxy.cfg" with { type: "text" };
import haproxyHosts from "../../../systemd/proxy/haproxy.hosts.cfg" with { type: "text" };
import nginxAdmin from "../../../systemd/proxy/nginx.admin.conf" with { type: "text" };
import nginx from "../../../systemd/proxy/nginx.conf" with { type: "text" };

/** The host names to put into the examples. */
export interface ExampleNames {
  /** The host of APP_URL. */
  readonly name: string;
  /** The host of ADMIN_APP_URL. */
  readonly adminName?: string | undefined;
}

const named = (text: string, { name, adminName = `admin.${name}` }: ExampleNames): string =>
  text.replaceAll("admin.auth.example.com", adminName).replaceAll("auth.example.com", name);

/** Files for other programs, for an operator to copy: proxies, monitoring and PostgreSQL. */
export const appExamples = (names: ExampleNames): Readonly<Record<string, string>> => ({
  "nginx.conf": named(nginx, names),
  "haproxy.cfg": haproxy,
  "haproxy.hosts.cfg": haproxyHosts,
  "gatehouse.hosts.env.example": named(hosts, names),
  "monitoring/gatehouse.dashboard.json": `${JSON.stringify(dashboard, null, 1)}\n`,
  "monitoring/gatehouse.rules.yml": rules,
  "monitoring/prometheus.yml": scrapes,
  "postgres/gatehouse.conf": postgres,
  "postgres/pg_hba.conf": postgresAccess,
});

export const adminExamples = (names: ExampleNames): Readonly<Record<string, string>> => ({
  "nginx.admin.conf": named(nginxAdmin, names),
});

import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ProxyName = "nginx" | "haproxy" | "caddy";

export interface Proxy {
  /** The port with TLS. */
  readonly port: number;
  readonly plainPort: number;
  stop(): Promise<void>;
}

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const startLimitMs = 60_000;
const stopLimitMs = 5_000;
const exchangeLimitMs = 10_000;
const examples = join(import.meta.dir, "..", "..", "systemd", "proxy");

/** Returns what this machine lacks to start the proxy; undefined if nothing. */
export function whyNoProxy(name: ProxyName): string | undefined {
  const missing = [name, "openssl"].filter((tool) => Bun.which(tool, { PATH: path }) === null);
  return missing.length > 0 ? missing.join(", ") : undefined;
}

export function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

const request =
  "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=auth.example.com -addext subjectAltName=DNS:auth.example.com,DNS:app.example.com";

async function makeCertificate(folder: string): Promise<void> {
  const made = Bun.spawnSync({
    cmd: ["openssl", ...request.split(" "), "-keyout", join(folder, "key.pem"), "-out", join(folder, "chain.pem")],
    env: { PATH: path },
    stderr: "pipe",
  });
  if (!made.success) throw new Error(made.stderr.toString());
  const both = await Promise.all(["chain.pem", "key.pem"].map((file) => Bun.file(join(folder, file)).text()));
  await Bun.write(join(folder, "both.pem"), both.join(""));
}

/**
 * Replaces what an example says about its host. Every text must occur: otherwise another configuration than the example would be tested.
 */
export function replaceEach(example: string, replacements: readonly (readonly [string | RegExp, string])[]): string {
  let text = example;
  for (const [from, to] of replacements) {
    const replaced = text.replace(from, () => to);
    if (replaced === text) throw new Error(`the example has no ${from.toString()}`);
    text = replaced;
  }
  return text;
}

/** The ports of a proxy, and the folder for its files, which contains chain.pem and key.pem. */
export interface Places {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
}

/** Returns a whole configuration of nginx around one site. */
export const nginxAround = (site: string, { folder }: Places): string => `
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((use) => `${use}_temp_path ${folder}/${use};`).join(" ")}
  ${site}
}`;

/** Replacements for what every nginx example says about its host. */
export const nginxPlaces = ({ port, plainPort }: Places): readonly (readonly [string, string])[] => [
  ["listen 80;", `listen 127.0.0.1:${plainPort};`],
  ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`],
];

/** Returns a site of systemd/proxy with the port of a Gatehouse in place of the example's. */
const nginxSite = (example: string, usual: number, target: number, places: Places): string =>
  replaceEach(example, [
    ...nginxPlaces(places),
    [`server 127.0.0.1:${usual} `, `server 127.0.0.1:${target} `],
    ["listen [::]:80;", ""],
    ["listen [::]:443 ssl http2;", ""],
    ["/etc/ssl/gatehouse/fullchain.pem", `${places.folder}/chain.pem`],
    ["/etc/ssl/gatehouse/privkey.pem", `${places.folder}/key.pem`],
  ]);

const nginxConfig = (example: string, target: number, places: Places): string =>
  nginxAround(nginxSite(example, 3000, target, places), places);

const haproxyConfig = (example: string, target: number, { folder, port, plainPort }: Places): string =>
  replaceEach(example, [
    ["  log /dev/log local0\n", ""],
    ["  user haproxy\n", ""],
    ["  group haproxy\n", ""],
    [/ {2}stats socket .*\n/, ""],
    ["bind :80\n", `bind 127.0.0.1:${plainPort}\n`],
    ["bind :443 ssl crt /etc/haproxy/gatehouse.pem", `bind 127.0.0.1:${port} ssl crt ${folder}/both.pem`],
    ["server api3000 127.0.0.1:3000", `server api3000 127.0.0.1:${target}`],
    [/ {2}server api3002 .*\n/, ""],
  ]);

/** Whether a port takes connections, at this host unless another is named. */
export const listens = (port: number, host = "127.0.0.1"): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, host, () => {
    socket.destroy();
    resolve(true);
  });
  socket.on("error", () => resolve(false));
  return promise;
};

const commands = {
  nginx: (folder: string, file: string) => ["nginx", "-p", folder, "-c", file],
  haproxy: (_folder: string, file: string) => ["haproxy", "-db", "-f", file],
  caddy: (_folder: string, file: string) => ["caddy", "run", "--adapter", "caddyfile", "--config", file],
} as const;

/** Starts the real proxy with the example of systemd/proxy, in front of a Gatehouse on that port. */
export async function startProxy(name: "nginx" | "haproxy", target: number): Promise<Proxy> {
  const example = await Bun.file(join(examples, name === "nginx" ? "nginx.conf" : "haproxy.cfg")).text();
  const configOf = name === "nginx" ? nginxConfig : haproxyConfig;
  return startProxyWith(name, (places) => configOf(example, target, places));
}

/** Starts nginx with the examples for both apps, as on a host that serves both. */
export async function startNginxOfBoth(app: number, admin: number): Promise<Proxy> {
  const [ofApp, ofAdmin] = await Promise.all(
    ["nginx.conf", "nginx.admin.conf"].map((name) => Bun.file(join(examples, name)).text()),
  );
  return startProxyWith("nginx", (places) =>
    nginxAround(`${nginxSite(ofApp ?? "", 3000, app, places)}${nginxSite(ofAdmin ?? "", 3001, admin, places)}`, places),
  );
}

/** Starts nginx with that text in its http block, where PORT stands for the port to listen on. */
export const startNginx = (site: string): Promise<Proxy> =>
  startProxyWith("nginx", (places) => nginxAround(site.replaceAll("PORT", `127.0.0.1:${places.port}`), places));

interface Whereabouts {
  /** The address at which the proxy is probed. Default 127.0.0.1. */
  readonly host?: string;
  /** Runs the proxy somewhere else: see `within` of SpawnOptions. */
  readonly within?: readonly string[];
}

/** Starts the real proxy with a configuration made for its places. */
export async function startProxyWith(
  name: ProxyName,
  configure: (places: Places) => string,
  { host, within = [] }: Whereabouts = {},
): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), `gatehouse-${name}-`));
  // The workers of nginx run as another user.
  await chmod(folder, 0o777);
  await makeCertificate(folder);
  const places = { folder, port: freePort(), plainPort: freePort() };
  const file = join(folder, "proxy.cfg");
  await Bun.write(file, configure(places));
  // Caddy keeps files in its home.
  const env = { PATH: path, HOME: folder };
  const child = Bun.spawn([...within, ...commands[name](folder, file)], {
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const complaints = child.stderr.text();

  const stop = async (): Promise<void> => {
    const limit = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    child.kill(name === "haproxy" ? "SIGINT" : "SIGTERM");
    await child.exited;
    clearTimeout(limit);
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + startLimitMs;
  while (!(await listens(places.port, host))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`${name} does not start: ${await complaints}`);
    }
    await Bun.sleep(20);
  }
  return { port: places.port, plainPort: places.plainPort, stop };
}

/** Sends one request over TLS. Resolves to the bytes of the answer, until the other side closes. */
export function exchangeOverTls(port: number, request: string, servername = "auth.example.com"): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = "";
  const socket = connectTls({ port, host: "127.0.0.1", servername, rejectUnauthorized: false }, () => {
    socket.write(Buffer.from(request, "latin1"));
  });
  socket.setTimeout(exchangeLimitMs, () => socket.destroy(new Error(`no end of ${JSON.stringify(received)}`)));
  socket.on("data", (bytes: Buffer) => {
    received += bytes.toString("latin1");
  });
  socket.on("error", (error) => (received === "" ? reject(error) : resolve(received)));
  socket.on("close", () => resolve(received));
  return promise;
}

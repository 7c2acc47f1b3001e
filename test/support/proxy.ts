import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ProxyName = "nginx" | "haproxy" | "caddy";

export interface Proxy {
  /** Where it speaks TLS. */
  readonly port: number;
  readonly plainPort: number;
  stop(): Promise<void>;
}

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const startLimitMs = 60_000;
const stopLimitMs = 5_000;
const exchangeLimitMs = 10_000;
const examples = join(import.meta.dir, "..", "..", "systemd", "proxy");

/** What is missing here to start one; undefined when nothing is. */
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

/** Replaces what an example says about its host. Every text has to be there, or the example would not be what is tried. */
export function replaceEach(example: string, replacements: readonly (readonly [string | RegExp, string])[]): string {
  let text = example;
  for (const [from, to] of replacements) {
    const replaced = text.replace(from, () => to);
    if (replaced === text) throw new Error(`the example has no ${from.toString()}`);
    text = replaced;
  }
  return text;
}

/** Where a proxy is to listen, and the folder for its files: chain.pem and key.pem are there. */
export interface Places {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
}

/** A whole configuration of nginx for one of its sites. */
export const nginxAround = (site: string, { folder }: Places): string => `
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((use) => `${use}_temp_path ${folder}/${use};`).join(" ")}
  ${site}
}`;

/** What stands in every nginx example about the host that it is for. */
export const nginxPlaces = ({ port, plainPort }: Places): readonly (readonly [string, string])[] => [
  ["listen 80;", `listen 127.0.0.1:${plainPort};`],
  ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`],
];

/** A site of systemd/proxy, with the port of a Gatehouse in the place of the one that it names. */
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

/** Whether something of this host takes connections at that port. */
export const listens = (port: number): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1", () => {
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

/** The real proxy with the example of systemd/proxy, in front of a Gatehouse on that port. */
export async function startProxy(name: "nginx" | "haproxy", target: number): Promise<Proxy> {
  const example = await Bun.file(join(examples, name === "nginx" ? "nginx.conf" : "haproxy.cfg")).text();
  const configOf = name === "nginx" ? nginxConfig : haproxyConfig;
  return startProxyWith(name, (places) => configOf(example, target, places));
}

/** nginx with the examples for both apps, as a host has them that serves both. */
export async function startNginxOfBoth(app: number, admin: number): Promise<Proxy> {
  const [ofApp, ofAdmin] = await Promise.all(
    ["nginx.conf", "nginx.admin.conf"].map((name) => Bun.file(join(examples, name)).text()),
  );
  return startProxyWith("nginx", (places) =>
    nginxAround(`${nginxSite(ofApp ?? "", 3000, app, places)}${nginxSite(ofAdmin ?? "", 3001, admin, places)}`, places),
  );
}

/** nginx with that in its http block, where PORT stands for the one that it is to listen on. */
export const startNginx = (site: string): Promise<Proxy> =>
  startProxyWith("nginx", (places) => nginxAround(site.replaceAll("PORT", `127.0.0.1:${places.port}`), places));

/** The real proxy with a configuration that is made for its places. */
export async function startProxyWith(name: ProxyName, configure: (places: Places) => string): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), `gatehouse-${name}-`));
  // The workers of nginx are another user.
  await chmod(folder, 0o777);
  await makeCertificate(folder);
  const places = { folder, port: freePort(), plainPort: freePort() };
  const file = join(folder, "proxy.cfg");
  await Bun.write(file, configure(places));
  // Caddy keeps files in its home.
  const env = { PATH: path, HOME: folder };
  const child = Bun.spawn(commands[name](folder, file), { env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const complaints = child.stderr.text();

  const stop = async (): Promise<void> => {
    const limit = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    child.kill(name === "haproxy" ? "SIGINT" : "SIGTERM");
    await child.exited;
    clearTimeout(limit);
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + startLimitMs;
  while (!(await listens(places.port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`${name} does not start: ${await complaints}`);
    }
    await Bun.sleep(20);
  }
  return { port: places.port, plainPort: places.plainPort, stop };
}

/** The bytes of the answer to one request over TLS, until the other side closes. */
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

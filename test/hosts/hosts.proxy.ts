import { join } from "node:path";
import { replaceEach, startProxyWith, type Places } from "../support/proxy.ts";
import type { Data } from "./data.ts";
import { httpPort, type HostName, type Network } from "./network.ts";

const examples = join(import.meta.dir, "..", "..", "systemd", "proxy");
const plainPort = 8080;
const answerLimitMs = 5_000;

/** Joins haproxy.cfg with its part for several hosts, and adds a port without TLS that spares the clients the handshakes. */
async function configuration(network: Network, { primary, replica }: Data): Promise<(places: Places) => string> {
  const [single = "", several = ""] = await Promise.all(
    ["haproxy.cfg", "haproxy.hosts.cfg"].map((name) => Bun.file(join(examples, name)).text()),
  );
  const example = `${single.slice(0, single.indexOf("\nbackend gatehouse\n") + 1)}${several}`;
  const serverOf = (host: HostName): string => `${network.address(host, "front")}:${httpPort}`;
  return ({ folder, port, plainPort: redirecting }) =>
    replaceEach(example, [
      ["  log /dev/log local0\n", ""],
      ["  user haproxy\n", ""],
      ["  group haproxy\n", ""],
      ["/run/haproxy/admin.sock", join(folder, "admin.sock")],
      ["bind :80\n", `bind :${redirecting}\n`],
      ["bind :443 ssl crt /etc/haproxy/gatehouse.pem", `bind :${port} ssl crt ${folder}/both.pem`],
      [/^(?=backend gatehouse$)/m, `frontend plain\n  bind :${plainPort}\n  default_backend gatehouse\n`],
      ["10.0.0.11:3000", serverOf("one")],
      [/ {2}server one3002 .*\n/, ""],
      ["10.0.0.12:3000", serverOf("two")],
      [/ {2}server two3002 .*\n/, ""],
      ["bind 10.0.0.10:5432", `bind ${network.data("proxy")}:5432`],
      ["10.0.0.21:5432", new URL(primary.url).host],
      ["10.0.0.22:5432", new URL(replica.url).host],
    ]);
}

/** Starts the proxy of several hosts as configured in systemd/proxy, for the hosts and for the server of Postgres that takes writes. */
export async function startHostsProxy(network: Network, data: Data) {
  const host = network.address("data", "front");
  const configure = await configuration(network, data);
  let socket = "";
  const proxy = await startProxyWith(
    "haproxy",
    (places) => {
      socket = join(places.folder, "admin.sock");
      return configure(places);
    },
    { host, within: network.within("data") },
  );

  return {
    host,
    port: plainPort,
    url: `http://${host}:${plainPort}`,
    /** Whether the proxy passes requests to that host at present. */
    async passesTo(name: HostName): Promise<boolean> {
      const state = await askSocket(socket, "show stat\n");
      return state
        .split("\n")
        .some((line) => line.startsWith(`gatehouse,${name}${httpPort},`) && line.includes(",UP,"));
    },
    stop: proxy.stop,
  };
}

/** Resolves to HAProxy's answer to one command on its socket. */
async function askSocket(path: string, command: string): Promise<string> {
  const ended = Promise.withResolvers<void>();
  const limit = setTimeout(() => ended.reject(new Error("HAProxy does not answer on its socket")), answerLimitMs);
  let received = "";
  const socket = await Bun.connect({
    unix: path,
    socket: {
      open: (opened) => void opened.write(command),
      data(_socket, chunk) {
        received += chunk.toString();
      },
      close: () => ended.resolve(),
      error: (_socket, error) => ended.reject(error),
    },
  });
  try {
    await ended.promise;
    return received;
  } finally {
    clearTimeout(limit);
    socket.end();
  }
}

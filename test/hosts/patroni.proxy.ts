import { join } from "node:path";
import { replaceEach, startProxyWith, type Proxy } from "../support/proxy.ts";
import type { Network } from "./network.ts";
import { memberNames, type MemberName } from "./patroni.ts";

const examples = join(import.meta.dir, "..", "..", "systemd", "proxy");

/** Starts the proxy before the servers of Patroni, as configured in systemd/proxy, on its `port`. */
export async function startPatroniProxy(network: Network<MemberName>): Promise<Proxy> {
  const [single = "", patroni = ""] = await Promise.all(
    ["haproxy.cfg", "haproxy.patroni.cfg"].map((name) => Bun.file(join(examples, name)).text()),
  );
  const example = `${single.slice(0, single.indexOf("\nfrontend gatehouse\n") + 1)}${patroni}`;
  const host = network.data("proxy");
  const [alpha = "", beta = "", gamma = ""] = memberNames.map((name) => network.address(name, "back"));
  const configure = ({ port }: { readonly port: number }): string =>
    replaceEach(example, [
      ["  log /dev/log local0\n", ""],
      ["  user haproxy\n", ""],
      ["  group haproxy\n", ""],
      [/ {2}stats socket .*\n/, ""],
      ["bind 10.0.0.10:5432", `bind ${host}:${port}`],
      ["10.0.0.21:5432", `${alpha}:5432`],
      ["10.0.0.22:5432", `${beta}:5432`],
      ["10.0.0.23:5432", `${gamma}:5432`],
    ]);
  return startProxyWith("haproxy", configure, { host, within: network.within("data") });
}

import { readlinkSync } from "node:fs";
import { eventually } from "../support/log.ts";

/** Two hosts that serve, beside the machine with proxy, databases and cache. */
export const hostNames = ["one", "two"] as const;
export type HostName = (typeof hostNames)[number];
/** That machine, or one of the hosts. */
type Place<Host extends string> = "data" | Host;

/** The port of each host's instance. */
export const httpPort = 3000;

const programs = ["ip", "nsenter", "setpriv", "unshare"];
/** The sides of the network: `front` carries clients, mail and the proxy's requests, `back` carries data. */
const sides = ["front", "back"] as const;
type Side = (typeof sides)[number];
const firstHostNumber = 11;
/** Last numbers of the data machine's addresses, by what answers at them. */
const dataNumbers = { proxy: 10, primary: 21, replica: 22, redis: 30, etcd1: 31, etcd2: 32, etcd3: 33 } as const;

/** Returns what this machine lacks for a network; undefined if nothing. */
export function whyNoNetwork(): string | undefined {
  if (process.platform !== "linux") return "Linux";
  if (process.getuid?.() !== 0) return "root";
  const missing = programs.filter((program) => Bun.which(program) === null);
  if (missing.length > 0) return missing.join(", ");
  const trial = "ip link add bridge type bridge && ip link add left type veth peer name right";
  const { success } = Bun.spawnSync({ cmd: ["unshare", "--net", "sh", "-c", trial], stderr: "ignore" });
  return success ? undefined : "the right to make network namespaces";
}

export interface Network<Host extends string = HostName> {
  /**
   * Returns the address of this machine, where clients, mail relay and receivers of webhooks run, and from where tests look into the
   * database.
   */
  outside(side: Side): string;
  address(place: Place<Host>, side: Side): string;
  data(what: keyof typeof dataNumbers): string;
  /** Returns the beginning of a command line that runs a program at that place. The program ends with this process, however that ends. */
  within(place: Place<Host>): readonly string[];
  /** Blocks all traffic between that host and everything behind, without telling either side. */
  cutOff(host: Host): void;
  reconnect(host: Host): void;
  close(): Promise<void>;
}

/**
 * Lays the network. Each place is a namespace held by one sleeping process. Outside them, only two interfaces of this machine have names,
 * so that everything goes with these processes, which end with this one even when it is killed.
 */
export async function layNetwork<Host extends string>(hosts: readonly Host[]): Promise<Network<Host>> {
  const part = process.pid % 256;
  const prefixes = { front: `10.198.${part}`, back: `10.199.${part}` } as const;
  const numberOf = (place: Place<Host>): number =>
    place === "data" ? dataNumbers.proxy : firstHostNumber + hosts.findIndex((host) => host === place);
  const address = (place: Place<Host>, side: Side): string => `${prefixes[side]}.${numberOf(place)}`;
  const outside = (side: Side): string => `${prefixes[side]}.1`;
  const untilKilled = ["setpriv", "--pdeathsig", "KILL"];
  const hold = () =>
    Bun.spawn([...untilKilled, "unshare", "--net", "sleep", "infinity"], { stdin: "ignore", stdout: "ignore" });
  const holders = new Map<string, ReturnType<typeof hold>>(["data", ...hosts].map((place) => [place, hold()]));
  const pidOf = (place: Place<Host>): number => holders.get(place)?.pid ?? 0;
  const enter = (place: Place<Host>): string[] => ["nsenter", `--net=/proc/${pidOf(place)}/ns/net`];
  const close = async (): Promise<void> => {
    for (const holder of holders.values()) holder.kill("SIGKILL");
    await Promise.all(holders.values().map((holder) => holder.exited));
  };
  const ip = (command: readonly string[], lines: readonly string[]): void => {
    const { success, stderr } = Bun.spawnSync({
      cmd: [...command, "ip", "-batch", "-"],
      stdin: new Blob([`${lines.join("\n")}\n`]),
      stderr: "pipe",
    });
    if (!success) throw new Error(`${lines.join("; ")}: ${stderr.toString()}`);
  };

  try {
    const own = readlinkSync("/proc/self/ns/net");
    for (const { pid } of holders.values())
      await eventually("a network of its own", () => readlinkSync(`/proc/${pid}/ns/net`) !== own);
    const backNumbers = [...new Set(Object.values(dataNumbers))];
    ip(enter("data"), [
      "link set lo up",
      // The bridges get fixed addresses. Otherwise a bridge takes the lowest address of its ports, which changes when a host is cut off or
      // comes back: everybody would send to the former address until asking for it again, for up to half a minute.
      ...sides.flatMap((side, n) => [
        `link add ${side} address 02:00:00:00:00:0${n + 1} type bridge`,
        `link set ${side} up`,
      ]),
      `address add ${address("data", "front")}/24 dev front`,
      ...backNumbers.map((number) => `address add ${prefixes.back}.${number}/24 dev back`),
    ]);
    for (const host of hosts) {
      for (const side of sides) {
        ip(enter("data"), [
          `link add ${side}-${host} type veth peer name ${side} netns ${pidOf(host)}`,
          `link set ${side}-${host} master ${side} up`,
        ]);
        ip(enter(host), [`address add ${address(host, side)}/24 dev ${side}`, `link set ${side} up`]);
      }
      ip(enter(host), ["link set lo up"]);
    }
    for (const side of sides) {
      const link = `${side}${process.pid}`;
      ip([], [`link add ${link} type veth peer name ${side}-outside netns ${pidOf("data")}`]);
      ip([], [`address add ${outside(side)}/24 dev ${link}`, `link set ${link} up`]);
      ip(enter("data"), [`link set ${side}-outside master ${side} up`]);
    }
  } catch (error) {
    await close();
    throw error;
  }

  return {
    outside,
    address,
    data: (what) => `${prefixes.back}.${dataNumbers[what]}`,
    within: (place) => [...enter(place), ...untilKilled],
    cutOff: (host) => ip(enter("data"), [`link set back-${host} nomaster`]),
    reconnect: (host) => ip(enter("data"), [`link set back-${host} master back`]),
    close,
  };
}

import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

export interface Listener {
  /** Addresses under which this host reaches the listener. One of them may be off. */
  readonly hosts: readonly string[];
  readonly port: number;
}

/** The unit of times in /proc: a hundredth of a second for programs, whatever the kernel uses itself. */
const tickMs = 10;

const established = "01";
const listening = "0A";

interface Socket {
  readonly address: string;
  readonly port: number;
  readonly peerPort: number;
  readonly state: string;
  readonly inode: string;
}

async function inodesOf(pid: number): Promise<ReadonlySet<string>> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all(
    // A descriptor may be closed while the list is read.
    (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => "")),
  );
  return new Set(targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []));
}

async function socketsOf(pid: number, state: string): Promise<readonly Socket[]> {
  // A kernel without IPv6 has no tcp6.
  const tables = ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => ""));
  const own = await inodesOf(pid);
  return (await Promise.all(tables))
    .flatMap((table) => table.split("\n").slice(1).flatMap(parse))
    .filter((socket) => socket.state === state && own.has(socket.inode));
}

/** Tells what the kernel knows of processes and their TCP sockets. Only root learns about other users' processes. */
export const processes = {
  /** Resolves to the file that the process runs; undefined if there is no such process. */
  executableOf: (pid: number): Promise<string | undefined> => readlink(`/proc/${pid}/exe`).catch(() => undefined),
  /** Resolves to the time at which the process began, in milliseconds; undefined if there is no such process. See proc_pid_stat(5). */
  async startedAt(pid: number): Promise<number | undefined> {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
    if (stat === undefined) return undefined;
    const [up = ""] = (await readFile("/proc/uptime", "utf8")).split(" ");
    const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
    return Date.now() - Number(up) * 1_000 + ticks * tickMs;
  },
  /** Resolves to the variables with which the process was started. */
  async environmentOf(pid: number): Promise<ReadonlyMap<string, string>> {
    const text = await readFile(`/proc/${pid}/environ`, "utf8");
    return new Map(
      text.split("\0").map((line): [string, string] => {
        const [name = "", ...value] = line.split("=");
        return [name, value.join("=")];
      }),
    );
  },
  listenersOf: async (pid: number): Promise<readonly Listener[]> =>
    (await socketsOf(pid, listening)).map(({ address, port }) => ({ hosts: hostsOf(address), port })),
  /** Resolves to the processes that have that file open. */
  async holdersOf(path: string): Promise<readonly number[]> {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
    const holds = async (pid: number): Promise<boolean> => {
      const folder = `/proc/${pid}/fd`;
      const names = await readdir(folder).catch(() => []);
      const targets = await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => "")));
      return targets.includes(path);
    };
    const held = await Promise.all(pids.map(holds));
    return pids.filter((_, index) => held[index]);
  },
  /** Whether the process has the server's end of the connection between the two ports. */
  hasConnection: async (pid: number, serverPort: number, clientPort: number): Promise<boolean> =>
    (await socketsOf(pid, established)).some(({ port, peerPort }) => port === serverPort && peerPort === clientPort),
};

/** Reads a line of /proc/net/tcp: see proc_pid_net(5). */
function parse(line: string): readonly Socket[] {
  const [, local = "", peer = "", state = "", , , , , , inode = ""] = line.trim().split(/\s+/);
  const [address = "", port = ""] = local.split(":");
  const [, peerPort = ""] = peer.split(":");
  if (inode === "") return [];
  return [{ address, port: Number.parseInt(port, 16), peerPort: Number.parseInt(peerPort, 16), state, inode }];
}

function hostsOf(address: string): readonly string[] {
  // The kernel prints words of four bytes in the byte order of the processor, lowest byte first.
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).toReversed());
  const numbers = bytes.map((byte) => Number.parseInt(byte, 16));
  const isAny = numbers.every((number) => number === 0);
  if (numbers.length === 4) return [isAny ? "127.0.0.1" : numbers.join(".")];
  if (isAny) return ["::1", "127.0.0.1"];
  const mapped = /^0{20}ffff(.{8})$/i.test(bytes.join(""));
  if (mapped) return [numbers.slice(12).join(".")];
  return [(bytes.join("").match(/.{4}/g) ?? []).join(":")];
}

import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

interface Listener {
  /** Addresses under which this host reaches the listener. One of them may be off. */
  readonly hosts: readonly string[];
  readonly port: number;
}

/** Facts that the kernel knows of processes and their TCP sockets. Only root learns those of other users' processes. */
export interface Processes {
  /** Resolves to the file that the process runs; undefined if there is no such process. */
  executableOf(pid: number): Promise<string | undefined>;
  /** Resolves to the variables with which the process was started. */
  environmentOf(pid: number): Promise<ReadonlyMap<string, string>>;
  listenersOf(pid: number): Promise<readonly Listener[]>;
  /** Whether the process has the server's end of the connection between the two ports. */
  hasConnection(pid: number, serverPort: number, clientPort: number): Promise<boolean>;
}

const established = "01";
const listening = "0A";

interface Socket {
  readonly address: string;
  readonly port: number;
  readonly peerPort: number;
  readonly state: string;
  readonly inode: string;
}

export function createProcesses({ proc = "/proc" }: { readonly proc?: string } = {}): Processes {
  async function inodesOf(pid: number): Promise<ReadonlySet<string>> {
    const folder = join(proc, String(pid), "fd");
    const targets = await Promise.all(
      // A descriptor may be closed while the list is read.
      (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => "")),
    );
    return new Set(targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []));
  }

  async function read(pid: number, state: string): Promise<readonly Socket[]> {
    // A kernel without IPv6 has no tcp6.
    const tables = ["tcp", "tcp6"].map((name) => readFile(join(proc, "net", name), "utf8").catch(() => ""));
    const own = await inodesOf(pid);
    return (await Promise.all(tables))
      .flatMap((table) => table.split("\n").slice(1).flatMap(parse))
      .filter((socket) => socket.state === state && own.has(socket.inode));
  }

  return {
    executableOf: (pid) => readlink(join(proc, String(pid), "exe")).catch(() => undefined),
    async environmentOf(pid) {
      const text = await readFile(join(proc, String(pid), "environ"), "utf8");
      return new Map(
        text.split("\0").map((line): [string, string] => {
          const [name = "", ...value] = line.split("=");
          return [name, value.join("=")];
        }),
      );
    },
    async listenersOf(pid) {
      return (await read(pid, listening)).map(({ address, port }) => ({ hosts: hostsOf(address), port }));
    },
    async hasConnection(pid, serverPort, clientPort) {
      const sockets = await read(pid, established);
      return sockets.some(({ port, peerPort }) => port === serverPort && peerPort === clientPort);
    },
  };
}

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

import { dlopen, ptr } from "bun:ffi";
import type { Log } from "../../observe/index.ts";

/** The environment, in which the supervisor sets `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`. */
type Environment = Readonly<Record<string, string | undefined>>;

const unixFamily = 1;
const datagramCloseOnExec = 2 | 0o2000000;
const noSignalNoWait = 0x4000 | 0x40;
const longestPath = 107;
const tries = 50;
const retryMs = 20;

export type Supervisor = ReturnType<typeof createSupervisor>;

/** Reports the state of this process to its supervisor, by the protocol of sd_notify(3). Without a supervisor nothing happens. */
export function createSupervisor(env: Environment, log: Log) {
  const address = env["NOTIFY_SOCKET"] ?? "";
  const { send, close } = address === "" ? silent : openSocket(address);
  let timer: Timer | undefined;

  /** Tries for a second and never blocks: a supervisor that is slow to read must not hold up the event loop. */
  async function notify(...lines: readonly string[]): Promise<void> {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      if (send(lines.join("\n"))) return;
      await Bun.sleep(retryMs);
    }
    log.warn("the supervisor does not listen", { socket: address, unheard: lines[0] });
  }

  return {
    /** Reports that the process has started. The text is for people who look at the unit. */
    ready: (status: string): Promise<void> => notify("READY=1", `STATUS=${status}`),

    /** Reports that the process stops and needs at most this long. The supervisor grants the time, even where its own limit is shorter. */
    stopping: (longestMs: number): Promise<void> =>
      notify("STOPPING=1", "STATUS=stopping", `EXTEND_TIMEOUT_USEC=${longestMs * 1000}`),

    /**
     * Sends the pings that the supervisor asks for, as long as the event loop turns and each `probe` settles before the next ping. A probe
     * that fails has settled, and readiness reports the failure. A probe that hangs stops the pings, and the supervisor restarts the process.
     */
    watch(probe: () => Promise<unknown>): void {
      const everyMs = pingEveryMs(env);
      if (everyMs === undefined) return;
      let unsettled = false;
      timer = setInterval(() => {
        if (unsettled) return;
        unsettled = true;
        const settled = (): void => {
          unsettled = false;
          if (!send("WATCHDOG=1")) log.warn("a watchdog ping did not reach the supervisor", { socket: address });
        };
        probe().then(settled, settled);
      }, everyMs);
    },
    close(): void {
      clearInterval(timer);
      close();
    },
  };
}

const silent = { send: (_message: string): boolean => true, close: (): void => {} };

/** Returns half of the time that the supervisor allows; undefined when it watches no process, or another one. */
function pingEveryMs(env: Environment): number | undefined {
  const limitMs = Number(env["WATCHDOG_USEC"] ?? "") / 1000;
  const watched = env["WATCHDOG_PID"] ?? "";
  if (!(limitMs > 0) || (watched !== "" && watched !== String(process.pid))) return undefined;
  return limitMs / 2;
}

/**
 * Opens the socket through libc, since the runtime has no datagram sockets of the unix family. Throws when that fails, because the
 * supervisor would wait in vain for the end of the start.
 */
function openSocket(path: string): typeof silent {
  const name = Buffer.from(path);
  const isAbstract = path.startsWith("@");
  if ((!isAbstract && !path.startsWith("/")) || name.length > longestPath)
    throw new Error(`NOTIFY_SOCKET=${path} is not an address of a unix socket`);
  const { symbols: libc, close: unload } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  const address = Buffer.alloc(2 + name.length + (isAbstract ? 0 : 1));
  address.writeUInt16LE(unixFamily, 0);
  name.copy(address, 2);
  // An abstract name begins with a zero byte in place of the @.
  if (isAbstract) address[2] = 0;
  const socket = libc.socket(unixFamily, datagramCloseOnExec, 0);
  if (socket < 0) throw new Error(`NOTIFY_SOCKET=${path}: no socket could be made`);
  return {
    send(message) {
      const bytes = Buffer.from(message);
      const sent = libc.sendto(socket, ptr(bytes), bytes.length, noSignalNoWait, ptr(address), address.length);
      return Number(sent) === bytes.length;
    },
    close() {
      libc.close(socket);
      unload();
    },
  };
}

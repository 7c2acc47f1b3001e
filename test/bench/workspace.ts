import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Memory {
  readonly residentBytes: number;
  /** Memory without pages of files, such as the mapped database, which the kernel takes back when it needs them. */
  readonly ownBytes: number;
}

export interface Server {
  readonly port: number;
  readonly pid: number;
  memory(): Promise<Memory>;
  /** Resolves to the processor time used, in the process's own code and in the kernel's. */
  cpuSeconds(): Promise<number>;
  /** Resolves to all output so far. */
  output(): Promise<string>;
  stop(): Promise<void>;
}

interface ServerOptions {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The variable that tells the server its port. */
  readonly portVariable?: string;
  /** A path that answers below 500 once the server serves. */
  readonly readyPath: string;
  readonly port?: number;
}

export type Workspace = ReturnType<typeof createWorkspace>;

const startLimitMs = 15_000;
const stopLimitMs = 10_000;

/** Makes a folder for databases and logs, and starts the processes of a run. Nothing of either is left behind. */
export function createWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  const running = new Set<Bun.Subprocess>();
  let spawned = 0;

  function spawn(name: string, command: readonly string[], env: Readonly<Record<string, string>> = {}) {
    spawned += 1;
    const log = Bun.file(join(folder, `${spawned}-${name}.log`));
    const child = Bun.spawn([...command], {
      cwd: folder,
      env: { PATH: Bun.env["PATH"] ?? "", HOME: folder, NODE_ENV: "production", ...env },
      stdin: "ignore",
      stdout: log,
      stderr: log,
    });
    running.add(child);
    void child.exited.then(() => running.delete(child));
    return { child, output: () => log.text() };
  }

  async function end(child: Bun.Subprocess): Promise<void> {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    await child.exited;
    clearTimeout(timer);
  }

  return {
    path: (name: string): string => join(folder, name),

    /** Starts a server. Resolves as soon as `readyPath` is answered. */
    async start({
      name,
      command,
      env = {},
      portVariable = "PORT",
      readyPath,
      port = freePort(),
    }: ServerOptions): Promise<Server> {
      const { child, output } = spawn(name, command, { ...env, [portVariable]: String(port) });
      const deadline = performance.now() + startLimitMs;
      while (!(await answers(`http://127.0.0.1:${port}${readyPath}`))) {
        if (child.exitCode !== null || performance.now() > deadline) {
          await end(child);
          throw new Error(`${name} does not serve:\n${(await output()).slice(-2_000)}`);
        }
        await Bun.sleep(1);
      }
      return {
        port,
        pid: child.pid,
        memory: () => memoryOf(child.pid),
        cpuSeconds: () => cpuSecondsOf(child.pid),
        output,
        stop: () => end(child),
      };
    },

    /** Runs a command to its end. Resolves to its output. */
    async complete(
      name: string,
      command: readonly string[],
      env: Readonly<Record<string, string>> = {},
    ): Promise<string> {
      const { child, output } = spawn(name, command, env);
      const code = await child.exited;
      if (code !== 0) throw new Error(`${name} ended with ${code}:\n${(await output()).slice(-2_000)}`);
      return output();
    },

    stopAll: async (): Promise<void> => {
      await Promise.all([...running].map(end));
    },

    remove: (): void => {
      for (const child of running) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a port that was free a moment ago. */
function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { keepalive: false, signal: AbortSignal.timeout(1_000) });
    await response.arrayBuffer();
    return response.status < 500;
  } catch {
    return false;
  }
}

const ticksPerSecond = 100;

/** Resolves to the processor time of a process and of those of its children that have ended, in their own code and in the kernel's. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

/** Reads the memory of a process. Linux only, like the figures in the manual. */
async function memoryOf(pid: number): Promise<Memory> {
  const kib = (field: string): Promise<number> => readField(`/proc/${pid}/status`, field);
  return { residentBytes: (await kib("VmRSS")) * 1024, ownBytes: (await kib("RssAnon")) * 1024 };
}

/** Resolves to the number behind a name in a file of the kernel's. */
export const readField = async (path: string, field: string): Promise<number> =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(await readFile(path, "utf8"))?.[1]);

/** Flushes a file, so that writing back the set-up does not disturb the next measurement. */
export function flushToDisk(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

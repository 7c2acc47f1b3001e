import { existsSync, readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { deadline } from "./deadline.ts";

export interface Outcome {
  readonly code: number;
  /** Standard output and standard error, in order. */
  readonly output: string;
}

/** A host with a real systemd as PID 1, a network of its own, and root's power over itself only. */
export interface Machine {
  /** Runs a bash script on the host as root, in root's home. Past the limit it is killed. */
  run(script: string, options?: { readonly stdin?: Blob; readonly limitMs?: number }): Promise<Outcome>;
  /** Runs a script that must succeed: any exit code but 0 is a mistake of the test. Resolves to the output without its last line end. */
  ok(script: string, options?: { readonly stdin?: Blob; readonly limitMs?: number }): Promise<string>;
  /** Copies a file of this machine onto the host. */
  copy(from: string, to: string): Promise<void>;
  /** Returns a command line that runs a program of this machine on the host's network. */
  onNetwork(command: readonly string[]): string[];
  stop(): Promise<void>;
}

const bootLimitMs = 60_000;
const commandLimitMs = 60_000;
const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const needed = [
  "unshare",
  "nsenter",
  "setpriv",
  "systemctl",
  "systemd-run",
  "ss",
  "flock",
  "haproxy",
  "nginx",
  "openssl",
  "curl",
];

const cgroupRoots = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"];
const findCgroupRoot = (): string | undefined =>
  cgroupRoots.find((folder) => existsSync(join(folder, "cgroup.controllers")));

/** Returns what this machine lacks to boot a host; undefined if nothing. */
export function whyNoMachine(): string | undefined {
  if (process.platform !== "linux") return "Linux";
  if (process.getuid?.() !== 0) return "root";
  const missing = needed.filter((tool) => Bun.which(tool, { PATH: path }) === null);
  if (missing.length > 0) return missing.join(", ");
  if (!existsSync("/lib/systemd/systemd")) return "systemd";
  if (!existsSync("/proc/sys/net/ipv4/tcp_migrate_req")) return "Linux 5.14";
  if (findCgroupRoot() === undefined) return "cgroup v2";
  const trial = Bun.spawnSync({
    cmd: ["unshare", "--mount", "--pid", "--net", "--cgroup", "--fork", "sh", "-c", mayMount],
    stderr: "ignore",
  });
  return trial.success ? undefined : "the right to make namespaces and mounts";
}

const mayMount =
  "mount -t tmpfs tmpfs /mnt && mkdir /mnt/u /mnt/w /mnt/r && " +
  "mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r";

export async function bootMachine(): Promise<Machine> {
  const cgroup = join(findCgroupRoot() ?? "", `gatehouse-test-${process.pid}-${Date.now()}`);
  // The host ends with the tests, even when they are killed.
  const outer = Bun.spawn(
    ["setsid", "setpriv", "--pdeathsig", "KILL", "bash", join(import.meta.dir, "machine.sh"), cgroup],
    {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const console = Promise.all([outer.stdout.text(), outer.stderr.text()]);
  const stop = async (): Promise<void> => {
    outer.kill("SIGKILL");
    await outer.exited;
    await removeCgroup(cgroup);
  };
  try {
    const ended = outer.exited.then((code) => {
      throw new Error(`it ended with ${code}`);
    });
    const started = deadline(bootLimitMs, "systemd did not start", () => systemdUnder(outer.pid));
    const leader = await Promise.race([started, ended]);
    ended.catch(() => {});
    const machine = createMachine(leader, stop);
    const state = await machine.run("systemctl is-system-running --wait", { limitMs: bootLimitMs });
    if (state.code !== 0)
      throw new Error(`the machine is ${state.output}${(await machine.run("systemctl --failed")).output}`);
    return machine;
  } catch (error) {
    await stop();
    throw new Error(`no machine: ${(await console).join("")}`, { cause: error });
  }
}

function createMachine(leader: number, stop: () => Promise<void>): Machine {
  const enter = ["nsenter", "--target", String(leader)];

  const run: Machine["run"] = async (script, { stdin, limitMs = commandLimitMs } = {}) => {
    const environment = ["env", "-i", `PATH=${path}`, "HOME=/root", "LANG=C.UTF-8"];
    const child = Bun.spawn([...enter, "--all", ...environment, "bash", "-c", `cd; { ${script}\n} 2>&1`], {
      stdin: stdin ?? "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
    const [output, own, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, output: output + own };
  };

  const ok: Machine["ok"] = async (script, options) => {
    const { code, output } = await run(script, options);
    if (code !== 0) throw new Error(`${script}\nended with ${code}: ${output}`);
    return output.trimEnd();
  };

  return {
    run,
    ok,
    async copy(from, to) {
      await ok(`mkdir -p "$(dirname ${to})"; cat > ${to}`, { stdin: Bun.file(from) });
    },
    onNetwork: (command) => [...enter, "--net", ...command],
    stop,
  };
}

/** Returns the only child of the process that made the namespaces, once that child has become systemd. */
async function systemdUnder(parent: number): Promise<number | undefined> {
  const children = Bun.file(`/proc/${parent}/task/${parent}/children`);
  const pid = Number((await children.text()).trim().split(" ")[0]);
  if (!(pid > 0)) return undefined;
  const name = await Bun.file(`/proc/${pid}/comm`).text();
  if (name.trim() !== "systemd") return undefined;
  const answers = Bun.spawnSync({
    cmd: ["nsenter", "--target", String(pid), "--all", "systemctl", "is-system-running"],
    stderr: "ignore",
  });
  const state = answers.stdout.toString().trim();
  return state === "" || state === "offline" || state === "unknown" ? undefined : pid;
}

async function removeCgroup(folder: string): Promise<void> {
  const remove = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) remove(join(path, entry.name));
    rmdirSync(path);
  };
  await deadline(5_000, `${folder} is still in use`, async () => {
    try {
      if (existsSync(folder)) remove(folder);
      return true;
    } catch {
      return undefined;
    }
  });
}

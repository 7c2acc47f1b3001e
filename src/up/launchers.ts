import { readFileSync } from "node:fs";

interface Program {
  readonly parent: number;
  readonly command: string;
}

/** Reads the state and the parent of a process on Linux. Its name, in brackets, may hold anything. */
function stateOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", parent = "0"] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function programOf(pid: number): Program | undefined {
  if (process.platform === "linux") {
    const found = stateOf(pid);
    if (found === undefined) return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { parent: found.parent, command };
  }
  const { stdout } = Bun.spawnSync(["ps", "-o", "ppid=,command=", "-p", String(pid)], { timeout: 5_000 });
  const [, parent = "0", command = ""] = /^\s*(\d+)\s+(.*)$/m.exec(stdout.toString()) ?? [];
  return parent === "0" ? undefined : { parent: Number(parent), command };
}

/** Whether a program runs this command and nothing else, as npx, its shell and Bun do. The shell in which a person typed it does not. */
const isLauncher = ({ command }: Program): boolean => /\brun up\s*$/.test(command);

/** Returns the programs by which `bun run up` was started, the nearest first. */
export function launchers(): readonly number[] {
  const found: number[] = [];
  let pid = process.ppid;
  for (let program = programOf(pid); program !== undefined && isLauncher(program); program = programOf(pid)) {
    found.push(pid);
    pid = program.parent;
  }
  return found;
}

/** Whether a process runs. One that has ended, and that nobody has asked about, does not. */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") return !["Z", "X", undefined].includes(stateOf(pid)?.state);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

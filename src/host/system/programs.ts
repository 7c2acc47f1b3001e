import { readBounded } from "../../core/pace/stream.ts";
import { HostFailure, kernelCode } from "./host.failure.ts";

export interface Ran {
  readonly code: number;
  /** Standard output without its last line end. */
  readonly output: string;
  /** Standard error without its last line end. */
  readonly complaint: string;
}

interface RunOptions {
  readonly timeoutMs?: number;
  /** What the program reads. Default: nothing. */
  readonly stdin?: Blob;
}

/** Runs a program of the host to its end. Rejects with a HostFailure where it is missing, hangs, or says more than it may. */
export type Run = (command: readonly [program: string, ...args: string[]], options?: RunOptions) => Promise<Ran>;

const usualTimeoutMs = 60_000;
const mostBytes = 1024 * 1024;
/** Shells of cron and of some remote logins leave the folders of the system's programs out. */
const systemFolders = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const packages: Readonly<Record<string, string>> = {
  "ssh-keygen": "openssh-client",
  journalctl: "systemd",
  logger: "bsdutils",
  sysctl: "procps",
  systemctl: "systemd",
  "systemd-run": "systemd",
  "systemd-sysusers": "systemd",
};

/** Programs whose word decides what root runs: whatever else PATH names, these are the system's own. */
const judges: ReadonlySet<string> = new Set(["ssh-keygen"]);

/** Everything that is printed at once, as people read it. */
export const wordsOf = ({ output, complaint }: Ran): string =>
  [output, complaint].filter((text) => text !== "").join("\n");

/**
 * What programs are started with. `path` is searched before the folders in which a system has its programs, but for what depends on
 * the folder in which the command was called: binaries are called where somebody has put them, and other files may lie there.
 */
export const environmentOf = (path = "") => ({
  PATH: [...path.split(":").filter((folder) => folder.startsWith("/")), systemFolders].join(":"),
  LANG: "C.UTF-8",
  SYSTEMD_COLORS: "0",
  SYSTEMD_PAGER: "",
});

export function createPrograms({ path }: { readonly path?: string | undefined } = {}): Run {
  const callers = environmentOf(path);
  const systems = environmentOf();

  return async (command, { timeoutMs = usualTimeoutMs, stdin } = {}) => {
    const [program] = command;
    const child = spawn(command, judges.has(program) ? systems : callers, stdin);
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, timeoutMs);
    const tooLarge = (): Error =>
      new HostFailure(`${program} printed more than ${mostBytes} bytes`, `run it by hand: ${command.join(" ")}`);
    try {
      const [output, complaint, code] = await Promise.all([
        readBounded(child.stdout, { mostBytes, tooLarge }),
        readBounded(child.stderr, { mostBytes, tooLarge }),
        child.exited,
      ]);
      if (isLate)
        throw new HostFailure(
          `${program} did not end within ${timeoutMs / 1000} s`,
          `find out what it waits for, by hand: ${command.join(" ")}`,
        );
      return { code, output: text(output), complaint: text(complaint) };
    } finally {
      clearTimeout(limit);
      child.kill("SIGKILL");
    }
  };
}

function spawn(command: readonly string[], env: Readonly<Record<string, string>>, stdin: Blob | undefined) {
  const [program = ""] = command;
  try {
    return Bun.spawn([...command], {
      env,
      stdin: stdin ?? "ignore",
      stdout: "pipe",
      stderr: "pipe",
      // Ctrl-C at the terminal is meant for the command that runs the program, which decides what becomes of it.
      detached: true,
    });
  } catch (error) {
    if (kernelCode(error) !== "ENOENT") throw error;
    const owner = packages[program];
    throw new HostFailure(
      `the program ${program} is missing`,
      owner === undefined ? `install ${program}` : `install the package ${owner}`,
      { cause: error },
    );
  }
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replace(/\n$/, "");

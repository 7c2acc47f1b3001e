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
  readonly stdin?: Blob;
}

/** Runs a program of the host to its end. Rejects with a HostFailure if the program is missing, hangs or prints too much. */
export type Run = (command: readonly [program: string, ...args: string[]], options?: RunOptions) => Promise<Ran>;

const usualTimeoutMs = 60_000;
const mostBytes = 1024 * 1024;
/** Folders of the system's programs, which shells of cron and of some remote logins leave out. */
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

/** Programs whose verdict decides what root runs: only the system's own are used, whatever else PATH names. */
const judges: ReadonlySet<string> = new Set(["ssh-keygen"]);

/** Returns everything that was printed, as people read it. */
export const wordsOf = ({ output, complaint }: Ran): string =>
  [output, complaint].filter((text) => text !== "").join("\n");

/**
 * Returns the environment of a program. `path` is searched before the system's folders, except for its relative parts: binaries are called
 * from any folder, and other files may lie there.
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
      // Detached from Ctrl-C at the terminal, which is meant for the calling command: that decides what becomes of the program.
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

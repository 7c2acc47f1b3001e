import { join } from "node:path";
import type { CommandResult } from "./process.ts";

const here = import.meta.dir;
const requirements = join(here, "python.requirements.txt");
const makeLimitMs = 5 * 60_000;

/** Finds a Python that can make environments: Debian's python3 alone lacks `ensurepip`, which python3-venv brings. */
function findPython(): { readonly path: string; readonly version: string } | undefined {
  const path = Bun.which("python3");
  if (path === null) return undefined;
  const probe = "import ensurepip, fcntl, sys; print(sys.executable, sys.version)";
  const { success, stdout } = Bun.spawnSync([path, "-c", probe], { stderr: "ignore", timeout: 20_000 });
  return success ? { path, version: stdout.toString() } : undefined;
}
const python = findPython();

/** Why a test that needs Python packages can't run here; undefined if it can. */
export const pythonMissing: string | undefined =
  python === undefined ? "python3 with venv is not installed" : undefined;

interface PythonRun {
  readonly cwd: string;
  /** The whole environment of the program, except PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly limitMs?: number;
}

export interface PythonPackages {
  /** The folder with `python` itself and the programs of packages. */
  readonly bin: string;
  /** Runs `python` itself or a program of a package, such as `schemathesis`. Past the limit it is killed. */
  run(program: string, args: readonly string[], options: PythonRun): Promise<CommandResult>;
}

/**
 * Returns the packages of python.requirements.txt in a virtual environment below node_modules. The first caller of all processes makes it,
 * which takes half a minute and needs the package index: the calling hook must allow as much time. A changed file or another Python gets a
 * separate environment.
 */
export async function pythonPackages(): Promise<PythonPackages> {
  if (python === undefined) throw new Error(pythonMissing);
  const caches = join(here, "..", "..", "node_modules", ".cache", "gatehouse-python");
  // Programs in an environment contain its path: a copy of node_modules must not use the original's.
  const key = `${caches}\n${python.version}\n${await Bun.file(requirements).text()}`;
  const folder = join(caches, new Bun.CryptoHasher("sha256").update(key).digest("hex").slice(0, 16));
  if (!(await Bun.file(join(folder, "complete")).exists())) {
    const making = [python.path, join(here, "python.venv.py"), folder, requirements];
    const made = await run(making, { env: process.env, limitMs: makeLimitMs });
    if (made.code !== 0) throw new Error(`the Python packages could not be installed: ${made.stdout}${made.stderr}`);
  }
  const bin = join(folder, "bin");
  return {
    bin,
    run: (program, args, { env = {}, ...options }) =>
      run([join(bin, program), ...args], {
        ...options,
        env: { PATH: `${bin}:${process.env["PATH"] ?? ""}`, PYTHONUTF8: "1", ...env },
      }),
  };
}

async function run(
  command: readonly string[],
  options: { cwd?: string; env: Record<string, string | undefined>; stdin?: string; limitMs?: number },
): Promise<CommandResult> {
  const child = Bun.spawn([...command], {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: options.env,
    stdin: new TextEncoder().encode(options.stdin ?? ""),
    stdout: "pipe",
    stderr: "pipe",
    timeout: options.limitMs ?? 60_000,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}

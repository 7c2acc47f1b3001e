import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AppName } from "../../src/config/index.ts";
import { engine } from "./engine.ts";

const root = join(import.meta.dir, "..", "..");

/** The code under test: the compiled binaries of dist/ for `binary`, otherwise the sources. */
export const testTarget: "binary" | "source" = process.env["GATEHOUSE_TEST_TARGET"] === "binary" ? "binary" : "source";

const binaries = { app: "gatehouse", admin: "gatehouse-admin" } as const;
const sources = { app: "main.ts", admin: "admin.ts" } as const;

/** Returns the command line without arguments. */
export function commandLine(app: AppName): string[] {
  if (testTarget === "source") return [process.execPath, "--no-env-file", join(root, "src", sources[app])];
  const binary = join(root, "dist", binaries[app]);
  if (!existsSync(binary)) throw new Error(`${binary} is missing: run the build first`);
  return [binary];
}

export interface SpawnOptions {
  readonly app?: AppName;
  readonly cwd: string;
  /** The whole environment of the process, except PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** The beginning of a command line that runs the rest somewhere else, such as in a network namespace. */
  readonly within?: readonly string[];
}

/** Starts the command line under test as a separate process. */
export function spawnGatehouse(args: readonly string[], { app = "app", cwd, env = {}, within = [] }: SpawnOptions) {
  const placed = engine.environment(env);
  engine.provide(placed, "empty");
  return Bun.spawn([...within, ...commandLine(app), ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...placed },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions extends SpawnOptions {
  readonly stdin?: string;
  readonly limitMs?: number;
}

/** Runs one command to its end. Past the limit it is killed, and the exit code is 137. */
export async function runGatehouse(args: readonly string[], options: RunOptions): Promise<CommandResult> {
  const child = spawnGatehouse(args, options);
  const limit = setTimeout(() => child.kill("SIGKILL"), options.limitMs ?? 60_000);
  if (options.stdin !== undefined) await child.stdin.write(options.stdin);
  await child.stdin.end();
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  clearTimeout(limit);
  return { code, stdout, stderr };
}

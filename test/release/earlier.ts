import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine } from "../support/process.ts";
import { deadline } from "./deadline.ts";

const root = join(import.meta.dir, "..", "..");
const startLimitMs = 60_000;
const stopLimitMs = 30_000;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

async function outcomeOf(
  command: readonly string[],
  { cwd, env = {}, limitMs }: { readonly cwd: string; readonly env?: Environment; readonly limitMs: number },
): Promise<Outcome> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    stdout: "pipe",
    stderr: "pipe",
    timeout: limitMs,
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}

/** Runs a command of the code under test, with the database that the environment names. */
export const runNow = (args: readonly string[], cwd: string, env: Environment): Promise<Outcome> =>
  outcomeOf([...commandLine("app"), ...args], { cwd, env, limitMs: 600_000 });

export interface Earlier {
  run(args: readonly string[], cwd: string, env: Environment): Promise<Outcome>;
  /** Starts the service with all its roles. */
  serve(cwd: string, env: Environment): Promise<Serving>;
  remove(): Promise<void>;
}

export interface Serving {
  readonly port: number;
  stop(): Promise<void>;
}

/** Takes the sources of an earlier release out of the history, with the packages of its own list. */
export async function takeEarlier(version: string): Promise<Earlier> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-earlier-"));
  const must = async (command: readonly string[], cwd: string): Promise<string> => {
    const { code, stdout, stderr } = await outcomeOf(command, { cwd, limitMs: 180_000 });
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${stdout}${stderr}`);
    return stdout.trim();
  };
  const commit = await must(
    [
      "git",
      "log",
      "--max-count=1",
      "--format=%H",
      "--extended-regexp",
      `--grep=^Release ${version.replaceAll(".", "\\.")}$`,
    ],
    root,
  );
  if (commit === "") throw new Error(`the history has no commit "Release ${version}"`);
  await must(["git", "archive", "--output", join(folder, "sources.tar"), commit], root);
  await must(["tar", "-xf", "sources.tar"], folder);
  await must([process.execPath, "install", "--frozen-lockfile", "--production", "--ignore-scripts"], folder);
  const program = [process.execPath, "--no-env-file", join(folder, "src", "main.ts")];
  return {
    run: (args, cwd, env) => outcomeOf([...program, ...args], { cwd, env, limitMs: 120_000 }),
    serve: (cwd, env) => serve(program, cwd, env),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Starts the code under test. */
export const serveNow = (cwd: string, env: Environment): Promise<Serving> => serve(commandLine("app"), cwd, env);

async function serve(program: readonly string[], cwd: string, env: Environment): Promise<Serving> {
  const log = join(cwd, `log-${Date.now()}`);
  const child = Bun.spawn([...program], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdout: Bun.file(log),
    stderr: Bun.file(log),
  });
  const port = await deadline(startLimitMs, "the service did not start", async () => {
    const text = await Bun.file(log).text();
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${text}`);
    if (!text.includes('"message":"started"')) return undefined;
    const [, url = ""] = /"message":"listening"[^\n]*?"url":"([^"]+)"/.exec(text) ?? [];
    return Number(new URL(url).port);
  }).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  return {
    port,
    async stop() {
      const limit = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
      child.kill("SIGTERM");
      await child.exited;
      clearTimeout(limit);
    },
  };
}

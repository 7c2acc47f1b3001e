import { afterEach } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppName } from "../../src/config/index.ts";
import type { Role } from "../../src/app/definition.ts";
import { engine } from "./engine.ts";
import { testEnvironment } from "./environment.ts";
import { testTarget } from "./process.ts";
import { inspectEnded, recordedEnvironment } from "./seen.ts";
import { startInProcess } from "./target.inprocess.ts";
import { startProcess } from "./target.process.ts";

export interface TargetOptions {
  readonly app?: AppName;
  /** Settings on top of testEnvironment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The roles to run. Default: all. A separate process can run all or one. */
  readonly roles?: readonly Role[];
  /** Whether to migrate the database. Default true. */
  readonly migrate?: boolean;
  /** Whether to use a separate process even when the sources are tested: for signals, and for several processes over one database. */
  readonly ownProcess?: boolean;
  /**
   * Whether to run in the test's process even when the binary is tested: for acts that other processes do only after watching their clock
   * for an hour.
   */
  readonly watchedClock?: boolean;
  /** Whether passwords cost as much as in the binary, in the test's process too: for tests of that cost. */
  readonly hashesAsShipped?: boolean;
  /** Runs the target somewhere else: see `within` of SpawnOptions. */
  readonly within?: readonly string[];
  /** Whether several tests use the target: endTargetsAfterEach leaves it alone. */
  readonly shared?: boolean;
}

/** A running Gatehouse. */
export interface Target {
  /** Empty without the http role. */
  readonly url: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly databasePath: string;
  /** The target's working directory, removed when the target ends. */
  readonly folder: string;
  /** Undefined in the test's own process. */
  readonly pid: number | undefined;
  /** Returns the log so far. */
  logs(): string;
  /** Stops as SIGTERM does. Resolves to the exit code, 0 in the test's own process. */
  stop(): Promise<number>;
  /** Ends at once: by SIGKILL, or without a drain in the test's own process. */
  kill(): Promise<void>;
}

export type StartedTarget = Omit<Target, "env" | "databasePath" | "folder">;

export interface StartOptions {
  readonly app: AppName;
  readonly env: Readonly<Record<string, string>>;
  readonly roles: readonly Role[];
  readonly migrate: boolean;
  readonly folder: string;
  readonly within: readonly string[];
  readonly hashesAsShipped: boolean;
}

/** Targets that one test has started for itself. */
const running = new Set<Target>();

/** Starts Gatehouse in an empty folder, which is removed when it ends. Several targets share a database through DB_DATABASE. */
export async function startTarget(options: TargetOptions = {}): Promise<Target> {
  const {
    app = "app",
    roles = ["http", "worker", "scheduler"],
    migrate = true,
    within = [],
    hashesAsShipped = false,
  } = options;
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-test-"));
  const env = engine.environment({ ...testEnvironment(folder), ...recordedEnvironment, ...options.env });
  engine.provide(env, migrate ? "migrated" : "empty");
  const isApart = options.watchedClock !== true && (testTarget === "binary" || options.ownProcess === true);
  const start = isApart ? startProcess : startInProcess;
  const started = await start({ app, env, roles, migrate, folder, within, hashesAsShipped }).catch(
    async (error: unknown) => {
      engine.removeBelow(folder);
      await rm(folder, { recursive: true, force: true });
      throw error;
    },
  );

  let isOver = false;
  const ended = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    running.delete(target);
    try {
      inspectEnded({ ...target, logs: started.logs() });
    } finally {
      engine.removeBelow(folder);
      await rm(folder, { recursive: true, force: true });
    }
  };
  const target: Target = {
    ...started,
    env,
    folder,
    databasePath: env["DB_DATABASE"] ?? "",
    async stop() {
      const code = await started.stop();
      await ended();
      return code;
    },
    async kill() {
      await started.kill();
      await ended();
    },
  };
  if (options.shared !== true) running.add(target);
  return target;
}

/** Called once in a test file: a test that leaves a target running fails, and the target is ended. */
export function endTargetsAfterEach(): void {
  afterEach(async () => {
    const left = [...running];
    await Promise.all(left.map((target) => target.kill()));
    if (left.length > 0) throw new Error(`left running: ${left.map(({ url }) => url).join(", ")}`);
  });
}

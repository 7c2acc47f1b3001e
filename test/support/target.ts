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
  /** On top of testEnvironment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: all. A process of its own can run all or one. */
  readonly roles?: readonly Role[];
  /** Default true. */
  readonly migrate?: boolean;
  /** A process of its own even when the sources are tested: for signals, and for several processes over one database. */
  readonly ownProcess?: boolean;
  /** Within the test's process even when the binary is tested: for what others do only once they have watched their clock for an hour. */
  readonly watchedClock?: boolean;
  /** Runs it somewhere else, as SpawnOptions have it. */
  readonly within?: readonly string[];
  /** Serves several tests: endTargetsAfterEach leaves it alone. */
  readonly shared?: boolean;
}

/** A running Gatehouse. */
export interface Target {
  /** Empty without the http role. */
  readonly url: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly databasePath: string;
  /** Its working directory, removed when it ends. */
  readonly folder: string;
  /** Undefined in the test's own process. */
  readonly pid: number | undefined;
  /** All that was logged so far. */
  logs(): string;
  /** Stops as SIGTERM does. Resolves to the exit code, 0 in the test's own process. */
  stop(): Promise<number>;
  /** Ends at once: SIGKILL, or without a drain in the test's own process. */
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
}

/** Those that one test has started for itself. */
const running = new Set<Target>();

/** Starts Gatehouse in an empty folder, which goes when it ends. Several share a database through DB_DATABASE. */
export async function startTarget(options: TargetOptions = {}): Promise<Target> {
  const { app = "app", roles = ["http", "worker", "scheduler"], migrate = true, within = [] } = options;
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-test-"));
  const env = engine.environment({ ...testEnvironment(folder), ...recordedEnvironment, ...options.env });
  engine.provide(env, migrate ? "migrated" : "empty");
  const isApart = options.watchedClock !== true && (testTarget === "binary" || options.ownProcess === true);
  const start = isApart ? startProcess : startInProcess;
  const started = await start({ app, env, roles, migrate, folder, within }).catch(async (error: unknown) => {
    engine.removeBelow(folder);
    await rm(folder, { recursive: true, force: true });
    throw error;
  });

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

/** Call once in a test file: a test that leaves a target running fails, and the target is ended. */
export function endTargetsAfterEach(): void {
  afterEach(async () => {
    const left = [...running];
    await Promise.all(left.map((target) => target.kill()));
    if (left.length > 0) throw new Error(`left running: ${left.map(({ url }) => url).join(", ")}`);
  });
}

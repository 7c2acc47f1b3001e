import { makeAccount } from "./bootstrap.ts";
import { directions } from "./directions.ts";
import type { AppDefinition, Role } from "../definition.ts";
import { createApp, type App } from "../index.ts";
import { onceMigrated } from "./once.migrated.ts";
import { serveScrapes } from "./scrapes.ts";
import type { Config } from "../../config/index.ts";
import type { BuildInfo } from "../../core/build.ts";
import { second } from "../../core/clock.ts";
import { requireDatabase } from "../../drivers/database/open.ts";
import type { Log } from "../../observe/index.ts";
import type { MetricsSource } from "../../observe/metrics/index.ts";
import type { Supervisor } from "./supervisor.ts";

interface RuntimeOptions {
  readonly definition: AppDefinition;
  readonly config: Config;
  readonly build: BuildInfo;
  readonly log: Log;
  readonly roles: readonly Role[];
  readonly supervisor: Supervisor;
  /** The file that was started: the binary, or its source. */
  readonly program: string;
  /** Writes to the terminal what a person must see and a log must not hold. */
  readonly announce: (text: string) => void;
}

/** Returns how metrics call a process with these roles. */
export function kindOf(roles: readonly Role[]): MetricsSource {
  const [only = "http", ...others] = roles;
  if (others.length > 0) return "combined";
  return only === "worker" ? "jobs" : only;
}

/** Resolves with the signal that asked for the stop. A second signal ends the process at once. */
function stopRequested(log: Log): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (signal: string): void => {
      if (asked) {
        log.warn("stopped at once by a second signal", { signal });
        process.exit(1);
      }
      asked = true;
      resolve(signal);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}

/** Time after the deadlines in which jobs are handed back and drivers are closed. */
const afterDeadlineMs = 5 * second;

/** Returns the longest time that `stopRoles` may take. HTTP and jobs end side by side. */
const longestStopMs = ({ app, queue }: Config): number =>
  Math.max(app.drainDelayMs + app.shutdownTimeoutMs, queue.shutdownTimeoutMs) + afterDeadlineMs;

/** How long the port is open before the rest of a start goes on. */
const firstAnswersMs = 5;

export async function startRoles(app: App, options: RuntimeOptions) {
  const { config, build, log, roles, supervisor, announce } = options;
  const account = roles.includes("http") ? config.auth.bootstrap : undefined;
  const giveUpWaiting = await onceMigrated({
    isMigrated: app.ready,
    onWait: () => log.warn("the database is not migrated: run the migrate command; until then readiness answers 503"),
    async work() {
      // A failure is only logged: the app serves all the same, but pages of another app can't switch maintenance.
      await app.announce().catch((error: unknown) => {
        log.warn("the database could not be told where the maintenance state is", { error });
      });
      if (account !== undefined) await makeAccount({ app, account, log, announce });
    },
    onFailure: (error) => log.warn("the bootstrap account could not be made, it is tried again", { error }),
  });
  // Both listeners start before the worker: a taken port then fails the start before any job has been claimed and charged an attempt.
  const scrapes = serveScrapes({ ...options, metrics: app.metrics });
  let places: string | undefined;
  if (roles.includes("http")) {
    const { url, port } = await app.http.start();
    log.info("listening", { url, app: config.app.name });
    if (config.app.env === "local") {
      const paths = new Set(app.routes().map(({ path }) => path));
      places = directions({ ...options, paths, port });
    }
  }
  // Requests that wait for the port are answered first: it takes the runtime several milliseconds to read a cron expression.
  if (roles.includes("http") && roles.includes("scheduler")) await Bun.sleep(firstAnswersMs);
  app.clockWatch.start();
  // The scheduler starts before the worker, since it refuses bad schedules: no job has lost an attempt then.
  if (roles.includes("scheduler")) app.scheduler.start();
  if (roles.includes("worker")) app.worker.start();
  if (places !== undefined) announce(places);
  log.info("started", { roles: [...roles], env: config.app.env });
  supervisor.watch(app.ping);
  await supervisor.ready(`${build.version} (${build.revision}): ${roles.join(", ")}`);
  return { scrapes, giveUpWaiting };
}

/**
 * Stops the roles. First readiness answers 503 and every answer says `Connection: close`, so that load balancers send new requests
 * elsewhere. After the drain delay each role finishes what it has under way, within its own time limit.
 */
async function stopRoles(app: App, { config, roles }: RuntimeOptions): Promise<void> {
  const workerStopped = roles.includes("worker") ? app.worker.stop(config.queue.shutdownTimeoutMs) : undefined;
  const schedulerStopped = roles.includes("scheduler") ? app.scheduler.stop(config.queue.shutdownTimeoutMs) : undefined;
  if (roles.includes("http")) {
    app.http.drain();
    await Bun.sleep(config.app.drainDelayMs);
    await app.http.stop(config.app.shutdownTimeoutMs);
  }
  await Promise.all([workerStopped, schedulerStopped]);
  await app.close();
}

/** Runs the roles in this process until a signal stops them. Resolves to the exit code of the process. */
export async function runRoles(options: RuntimeOptions): Promise<number> {
  const { log, supervisor } = options;
  const stopping = stopRequested(log);
  // Only the migrate command makes a database. The check comes before anything is opened, so that a mistyped path leaves no folder behind.
  await requireDatabase(options.config.database);
  const app = await createApp({ ...options, createDatabase: false, kind: kindOf(options.roles) });
  let started: Awaited<ReturnType<typeof startRoles>>;
  try {
    started = await startRoles(app, options);
  } catch (error) {
    log.error("the start failed", { error });
    await app.close();
    return 1;
  }
  log.info("stopping", { signal: await stopping });
  await started.giveUpWaiting();
  await Promise.all([supervisor.stopping(longestStopMs(options.config)), stopRoles(app, options)]);
  await started.scrapes?.stop();
  log.info("stopped");
  return 0;
}

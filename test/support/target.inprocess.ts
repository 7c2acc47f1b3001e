import { createApp } from "../../src/app/index.ts";
import { build } from "../../src/cli/build.info.ts";
import { loadConfig, resolveEnvironment, secretValues } from "../../src/config/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/observe/log.ts";
import { kindOf } from "../../src/app/roles/roles.ts";
import { definitions } from "./definitions.ts";
import { cheapHashes } from "./password.cost.ts";
import type { StartedTarget, StartOptions } from "./target.ts";

/** Starts Gatehouse inside the test's process, over real HTTP on a free port. */
export async function startInProcess(options: StartOptions): Promise<StartedTarget> {
  const { app: name, env, roles, migrate, folder, hashesAsShipped } = options;
  const { env: values, files } = resolveEnvironment(env, folder, { app: name });
  const loaded = loadConfig({ app: definitions[name], env: values, files });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const { config } = loaded;
  const lines: string[] = [];
  const log = createLog({
    format: config.app.logFormat,
    level: config.app.debug > 0 ? "debug" : "info",
    clock: systemClock,
    secrets: secretValues(config),
    write: (line) => void lines.push(line),
  });
  const app = await createApp({
    definition: definitions[name],
    config,
    build,
    log,
    kind: kindOf(roles),
    clockEvenForMs: 0,
    ...(hashesAsShipped ? {} : { passwordCost: cheapHashes }),
  });
  try {
    if (migrate) await app.migrator.up();
    if (await app.ready()) await app.announce();
    app.clockWatch.start();
    if (roles.includes("worker")) app.worker.start();
    if (roles.includes("scheduler")) app.scheduler.start();
    const listening = roles.includes("http") ? await app.http.start() : undefined;

    const stop = async (deadlineMs: number): Promise<void> => {
      app.http.drain();
      await Promise.all([app.worker.stop(deadlineMs), app.scheduler.stop(deadlineMs)]);
      await app.http.stop(deadlineMs);
      await app.close();
    };
    return {
      url: listening?.url.origin ?? "",
      port: listening?.port ?? 0,
      pid: undefined,
      logs: () => lines.join("\n"),
      async stop() {
        await stop(config.app.shutdownTimeoutMs);
        return 0;
      },
      kill: () => stop(0),
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

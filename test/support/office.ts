import { afterAll } from "bun:test";
import { createApp, type App } from "../../src/app/index.ts";
import { build } from "../../src/cli/build.info.ts";
import { loadConfig, type AppName } from "../../src/config/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/observe/log.ts";
import { definitions } from "./definitions.ts";
import { cheapHashes } from "./password.cost.ts";
import type { Target } from "./target.ts";

/**
 * Opens another program on the database of a running target, from which accounts are managed. It serves nothing, and the target learns of
 * its acts through the database alone.
 */
async function openOffice(target: Pick<Target, "env" | "pid">, app: AppName = "admin"): Promise<App> {
  const loaded = loadConfig({ app: definitions[app], env: target.env });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const log = createLog({ format: "json", level: "error", clock: systemClock, write: () => {} });
  const cost = target.pid === undefined ? { passwordCost: cheapHashes } : {};
  return createApp({ definition: definitions[app], config: loaded.config, build, log, ...cost });
}

/** Opens the office for all tests of a file. */
export async function office(target: Pick<Target, "env" | "pid">, app?: AppName): Promise<App> {
  const opened = await openOffice(target, app);
  afterAll(() => opened.close());
  return opened;
}

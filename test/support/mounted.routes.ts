import { createApp } from "../../src/app/index.ts";
import type { AppDefinition } from "../../src/app/definition.ts";
import { build } from "../../src/cli/build.info.ts";
import { unopenedDatabase } from "../../src/cli/app/unopened.database.ts";
import { loadConfig } from "../../src/config/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/observe/log.ts";

interface MountedRoute {
  readonly method: string;
  readonly path: string;
}

/** Returns every route that an app mounts with these settings, from all of its modules. */
export async function mountedRoutes(
  definition: AppDefinition,
  env: Readonly<Record<string, string>>,
): Promise<readonly MountedRoute[]> {
  const loaded = loadConfig({ app: definition, env });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const log = createLog({ format: "json", level: "error", clock: systemClock, secrets: [] });
  const database = unopenedDatabase("sqlite");
  const app = await createApp({ definition, config: loaded.config, build, log, database });
  const routes = app.routes();
  await app.close();
  return routes;
}

import { secretValues, type Config } from "../config/index.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { openDisposable, openForeign } from "../drivers/database/open.ts";
import { createInspects } from "../inspect/index.ts";
import type { Log } from "../observe/index.ts";
import type { Metrics } from "../observe/metrics/index.ts";

interface InspectsOptions {
  readonly config: Config;
  readonly log: Log;
  readonly metrics?: Metrics["inspects"];
  readonly clock?: Clock;
}

const otherOf = ({ lighthouse: { pathOfApp: path } }: Config) =>
  path === undefined ? undefined : { app: "app", open: () => openForeign(path, "inspects of the app") };

/** Opens the inspects of this app on this host. Without `metrics` nothing is counted. */
export const openInspects = ({ config, log, metrics, clock = systemClock }: InspectsOptions) =>
  createInspects({
    config,
    open: () => openDisposable(config.lighthouse.path, { name: "inspects", log }),
    other: otherOf(config),
    secrets: secretValues(config),
    metrics: metrics ?? { recorded: () => undefined, dropped: () => undefined },
    clock,
    log,
  });

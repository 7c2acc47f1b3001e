import type { Config } from "../config/index.ts";
import type { Cache } from "../drivers/cache/index.ts";
import { createDiagnosticCheck, type RequestFacts } from "../http/index.ts";
import type { Log } from "../observe/index.ts";
import { controlRoutes, isControlPath } from "./control.ts";
import { createGate } from "./gate.ts";
import { createLocality } from "./locality.ts";
import { stateKey } from "./namespace.ts";
import { createMaintenanceState } from "./state.ts";

interface MaintenanceOptions {
  readonly config: Pick<Config, "app" | "maintenance">;
  /** Where the state is kept. */
  readonly store: Cache;
  readonly facts: RequestFacts;
  /** Where the app listens; undefined while it does not. */
  readonly port: () => number | undefined;
  readonly log: Log;
}

/** Maintenance mode (SEED §§3, 5.8): the gate before every route, and the control that opens and shuts it. */
export function createMaintenance({ config, store, facts, port, log }: MaintenanceOptions) {
  const { app, maintenance } = config;
  const state = createMaintenanceState({ store, key: stateKey(app), forced: maintenance.enabled, log });
  return {
    gate: createGate({ app: app.name, state, retryAfterMs: maintenance.retryAfterMs, facts }),
    isHidden: isControlPath,
    routes: controlRoutes({
      state,
      driver: maintenance.driver,
      isLocal: createLocality({ facts, port }),
      isAuthorised: createDiagnosticCheck(app.diagToken),
    }),
  };
}

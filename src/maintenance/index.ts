import type { Config } from "../config/index.ts";
import type { Occurrence } from "../core/audit.ts";
import type { AppError } from "../core/errors.ts";
import type { Cache } from "../drivers/cache/index.ts";
import { createDiagnosticCheck, createForwardedPaths, type RequestFacts } from "../http/index.ts";
import type { Brand } from "../http/pages/brand.ts";
import type { Log } from "../observe/index.ts";
import { controlRoutes, isControlPath } from "./control.ts";
import { createGate } from "./gate.ts";
import { createLocality } from "./locality.ts";
import { stateKey } from "./namespace.ts";
import { maintenancePage } from "./page.tsx";
import { createMaintenanceState } from "./state.ts";

interface MaintenanceOptions {
  readonly config: Pick<Config, "app" | "maintenance" | "metrics" | "lighthouse">;
  readonly brand: Pick<Brand, "product" | "style">;
  /** Where the state is kept. */
  readonly store: Cache;
  readonly facts: RequestFacts;
  /** Where the app listens; undefined while it does not. */
  readonly port: () => number | undefined;
  /** Writes an audit row and tells of it. */
  readonly record: (occurrence: Occurrence) => Promise<unknown>;
  /** Called with the reason before a request is refused. */
  readonly onRefusal?: ((refusal: AppError) => void) | undefined;
  readonly log: Log;
}

/** Maintenance mode: the gate before every route, and the control that opens and shuts it. */
export function createMaintenance({ config, brand, store, facts, port, record, onRefusal, log }: MaintenanceOptions) {
  const { app, maintenance } = config;

  /** Only logs a failure: maintenance must be switched even where the database that keeps the audit log is down. */
  async function onChange(on: boolean): Promise<void> {
    const topic = on ? "maintenance.enabled" : "maintenance.disabled";
    try {
      await record({ topic, payload: { app: app.name }, by: { actor: "operator" } });
    } catch (error) {
      log.error("a maintenance switch could not be written to the audit log", { topic, error });
    }
  }

  const state = createMaintenanceState({ store, key: stateKey(app), forced: maintenance.enabled, log });
  const { retryAfterMs } = maintenance;
  const isAbsent = createForwardedPaths(config);

  const page = maintenancePage({ name: `${brand.product} · ${app.name}`, style: brand.style });

  async function checkReadable(): Promise<void> {
    const { reason } = await state.find();
    if (reason === "unreadable") throw new Error("its state can't be read, so requests are refused");
  }

  return {
    gate: createGate({ page, state, retryAfterMs, isAbsent, facts, onRefusal }),
    /** Whether it is on, and why. Never rejects. */
    status: state.find,
    /** An instance that can't read its state refuses every request, so it is not ready. One that an operator has closed is. */
    checks: [{ type: "component", name: "maintenance", driver: maintenance.driver, check: checkReadable }] as const,
    isHidden: isControlPath,
    routes: controlRoutes({
      state,
      driver: maintenance.driver,
      isLocal: createLocality({ facts, port }),
      isAuthorised: createDiagnosticCheck(app.diagToken),
      onChange,
    }),
  };
}

export type Maintenance = ReturnType<typeof createMaintenance>;

import type { Config } from "../config/index.ts";
import type { By, Occurrence } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { AppError } from "../core/errors.ts";
import type { Cache } from "../drivers/cache/index.ts";
import type { Database } from "../drivers/database/index.ts";
import { createDiagnosticCheck, createForwardedPaths, type RequestFacts } from "../http/index.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import type { Log } from "../observe/index.ts";
import type { Words } from "../words/index.ts";
import { controlRoutes, isControlPath } from "./control.ts";
import { createMaintenanceDesk } from "./desk.ts";
import { createGate } from "./gate.ts";
import { createLocality } from "./locality.ts";
import { stateKey } from "./namespace.ts";
import { writeNote } from "./note.ts";
import { maintenancePage } from "./page.ts";
import { createPlaceRepository, type Place } from "./place.repository.ts";
import { createMaintenanceState } from "./state.ts";

export type { MaintenanceDesk, MaintenanceView } from "./desk.ts";
export { longestMessage } from "./note.ts";

interface MaintenanceOptions {
  readonly config: Pick<Config, "app" | "maintenance" | "metrics" | "lighthouse">;
  readonly brand: Brand["alone"];
  readonly words: Words;
  readonly store: Cache;
  /** The database in which each app says where its state is. */
  readonly database: Database;
  /** Returns the cache that another app keeps its state in; undefined where this process can't reach it. */
  readonly cacheAt: (place: Place) => Cache | undefined;
  readonly facts: RequestFacts;
  /** The port that the app listens on; undefined while it does not. */
  readonly port: () => number | undefined;
  /** Records a switch in the audit log and publishes it. */
  readonly record: (occurrence: Occurrence) => Promise<unknown>;
  /** Called with the reason before a request is refused. */
  readonly onRefusal?: ((refusal: AppError) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Maintenance mode: the gate before every route, and the control that opens and shuts it. */
export function createMaintenance(options: MaintenanceOptions) {
  const { config, brand, words, store, database, cacheAt, facts, port, record, onRefusal, clock, log } = options;
  const { app, maintenance } = config;
  const own: Place = {
    app: app.name,
    driver: maintenance.driver,
    cache: store.name,
    cacheStore: store.location === undefined ? store.driver : `${store.driver} ${store.location}`,
    stateKey: stateKey(app),
    forced: maintenance.enabled,
  };

  /** Records a switch. A failure is only logged: maintenance must be switched even where the database that keeps the audit log is down. */
  async function onChange(changed: string, on: boolean, by: By): Promise<void> {
    const topic = on ? "maintenance.enabled" : "maintenance.disabled";
    try {
      await record({ topic, payload: { app: changed }, by, ...(changed !== app.name && { reason: changed }) });
    } catch (error) {
      log.error("a maintenance switch could not be written to the audit log", { topic, error });
    }
  }

  const state = createMaintenanceState({
    store,
    key: own.stateKey,
    forced: maintenance.enabled,
    staleMs: maintenance.staleMs,
    log,
  });
  const { retryAfterMs } = maintenance;
  const isAbsent = createForwardedPaths(config);

  const page = maintenancePage(brand, words);

  async function checkReadable(): Promise<void> {
    // What is known while the store hangs decides at once: readiness must not wait for it.
    if (state.peek() === undefined) await state.find();
    if (state.isUnknown()) throw new Error("its state can't be read, so requests are refused");
  }

  const places = createPlaceRepository(database);

  return {
    /** Announces where this app keeps its state, so that pages of another app can show and switch it. */
    announce: () => places.save(own),
    desk: createMaintenanceDesk({ own, state, places, cacheAt, onChange, clock }),
    gate: createGate({ page, state, retryAfterMs, isAbsent, facts, onRefusal }),
    /** Resolves to whether maintenance is on, and why. Never rejects. */
    status: state.find,
    /**
     * An instance that can't read its state refuses every request, so it is not ready. An instance that an operator has closed is ready.
     */
    checks: [{ type: "component", name: "maintenance", driver: maintenance.driver, check: checkReadable }] as const,
    isHidden: isControlPath,
    routes: controlRoutes({
      state,
      driver: maintenance.driver,
      isLocal: createLocality(facts, port),
      isAuthorised: createDiagnosticCheck(app.diagToken),
      note: () => writeNote({ since: clock.now(), by: null, message: "" }),
      onChange: (on, by) => onChange(app.name, on, by),
    }),
  };
}

export type Maintenance = ReturnType<typeof createMaintenance>;

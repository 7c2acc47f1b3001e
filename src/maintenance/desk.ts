import type { By } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Cache } from "../drivers/cache/index.ts";
import { readNote, writeNote, type MaintenanceNote } from "./note.ts";
import type { Place, PlaceRepository } from "./place.repository.ts";
import type { MaintenanceState, Reason } from "./state.ts";

/** Why a page of this process can't switch the mode of an app. */
type Obstacle =
  /** The app has not announced where its state is: no release that does so has started on this database. */
  | "unknown"
  /** The state is in the memory of each process of the app. */
  | "in its memory"
  /** The state is in a store that no setting of this app leads to. */
  | "out of reach"
  /** APP_MAINTENANCE_ENABLED holds maintenance on until a start without it. */
  | "forced";

export interface MaintenanceView {
  readonly app: string;
  /** Whether the app is the one that shows this. */
  readonly isOwn: boolean;
  /** Undefined where the state can't be known from here. */
  readonly on: boolean | undefined;
  readonly reason: Reason | undefined;
  /** Undefined where maintenance is off, or was switched on by a release that kept no note. */
  readonly note: MaintenanceNote | undefined;
  readonly obstacle: Obstacle | undefined;
  /** Whether switching reaches the process that shows this, and none beside it. */
  readonly onlyThisProcess: boolean;
}

interface Switching {
  readonly app: string;
  readonly on: boolean;
  readonly message: string;
  readonly userId: string;
  readonly by: By;
}

interface DeskOptions {
  readonly own: Place;
  readonly state: MaintenanceState;
  readonly places: PlaceRepository;
  /** Returns the cache that an app keeps its state in; undefined where this process can't reach it. */
  readonly cacheAt: (place: Place) => Cache | undefined;
  /** Records a change in the audit log and publishes it. Never rejects. */
  readonly onChange: (app: string, on: boolean, by: By) => Promise<void>;
  readonly clock: Clock;
}

/** Shows and switches maintenance of the apps on one database, for people who are signed in to one of them. */
export function createMaintenanceDesk({ own, state, places, cacheAt, onChange, clock }: DeskOptions) {
  const onlyThisProcess = own.driver === "memory";

  async function viewOwn(): Promise<MaintenanceView> {
    const { on, reason } = await state.find();
    return {
      app: own.app,
      isOwn: true,
      on,
      reason,
      note: reason === "command" ? readNote(await state.read()) : undefined,
      obstacle: own.forced ? "forced" : undefined,
      onlyThisProcess,
    };
  }

  async function viewOther(app: string): Promise<MaintenanceView> {
    const place = await places.find(app);
    const unseen = { app, isOwn: false, on: undefined, reason: undefined, note: undefined, onlyThisProcess: false };
    if (place === undefined) return { ...unseen, obstacle: "unknown" };
    if (place.forced) return { ...unseen, on: true, reason: "environment", obstacle: "forced" };
    const cache = cacheAt(place);
    if (cache === undefined) {
      const isInMemory = place.driver === "memory" || place.cacheStore === "memory";
      return { ...unseen, obstacle: isInMemory ? "in its memory" : "out of reach" };
    }
    const stored = await cache.get(place.stateKey);
    const on = stored !== undefined;
    return { ...unseen, on, reason: on ? "command" : undefined, note: readNote(stored), obstacle: undefined };
  }

  async function switchOther(app: string, note: string | undefined): Promise<boolean> {
    const place = await places.find(app);
    const cache = place === undefined || place.forced ? undefined : cacheAt(place);
    if (place === undefined || cache === undefined) throw new AppError("not_found");
    const wasOn = (await cache.get(place.stateKey)) !== undefined;
    await (note === undefined ? cache.delete(place.stateKey) : cache.set(place.stateKey, note));
    return wasOn === (note === undefined);
  }

  return {
    view: (app: string): Promise<MaintenanceView> => (app === own.app ? viewOwn() : viewOther(app)),

    /**
     * Resolves to whether anything changed. Throws `not_found` where the mode can't be switched from here, and `maintenance_forced` where
     * the environment holds it on.
     */
    async turn({ app, on, message, userId, by }: Switching): Promise<boolean> {
      const note = on ? writeNote({ since: clock.now(), by: userId, message }) : undefined;
      if (app === own.app && !on && own.forced) throw new AppError("maintenance_forced");
      const changed =
        app === own.app
          ? await (note === undefined ? state.disable() : state.enable(note))
          : await switchOther(app, note);
      if (changed) await onChange(app, on, by);
      return changed;
    },
  };
}

export type MaintenanceDesk = ReturnType<typeof createMaintenanceDesk>;

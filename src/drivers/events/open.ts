import type { EventBus, EventLog } from "./index.ts";
import { createInprocEventBus } from "./inproc.ts";

interface EventSettings {
  readonly driver: "inproc";
}

/** The only switch on the names of event drivers. */
function openEventBus({ driver }: EventSettings, name: string, log: EventLog): EventBus {
  switch (driver) {
    case "inproc":
      return createInprocEventBus({ name, log });
  }
}

/** Every configured bus. What the service itself publishes goes to the default one. */
export function openEventBuses(
  config: Readonly<Record<string, EventSettings>>,
  log: EventLog,
): { readonly default: EventBus; readonly all: readonly EventBus[] } {
  const all = Object.entries(config).map(([name, settings]) => openEventBus(settings, name, log));
  const bus = all.find(({ name }) => name === "default");
  if (bus === undefined) throw new Error("no default event bus is configured");
  return { default: bus, all };
}

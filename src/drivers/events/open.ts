import type { EventBus, EventLog, EventMetrics } from "./index.ts";
import { createInprocEventBus } from "./inproc.ts";

interface EventSettings {
  readonly driver: "inproc";
}

interface EventBusOptions {
  readonly name: string;
  readonly log: EventLog;
  readonly metrics: EventMetrics | undefined;
}

/** The only switch on the names of event drivers. */
function openEventBus({ driver }: EventSettings, options: EventBusOptions): EventBus {
  switch (driver) {
    case "inproc":
      return createInprocEventBus(options);
  }
}

/** Every configured bus. What the service itself publishes goes to the default one. */
export function openEventBuses(
  config: Readonly<Record<string, EventSettings>>,
  { log, metrics }: { readonly log: EventLog; readonly metrics?: EventMetrics },
): { readonly default: EventBus; readonly all: readonly EventBus[] } {
  const all = Object.entries(config).map(([name, settings]) => openEventBus(settings, { name, log, metrics }));
  const bus = all.find(({ name }) => name === "default");
  if (bus === undefined) throw new Error("no default event bus is configured");
  return { default: bus, all };
}

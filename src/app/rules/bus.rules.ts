import type { Config } from "../../config/index.ts";
import { settingOf } from "../../config/index.ts";
import type { EventBus } from "../../drivers/events/index.ts";
import type { MetricsSource } from "../../observe/metrics/index.ts";

interface BusRules {
  readonly config: Pick<Config, "app">;
  /** The kind of this process, which says whether its roles run apart. */
  readonly kind: MetricsSource;
  readonly buses: readonly Pick<EventBus, "name" | "driver" | "subscribers">[];
}

/**
 * Throws in production where roles run apart and a bus with subscribers stays inside its process: they would miss what other processes
 * publish.
 */
export function requireSharedBuses({ config, kind, buses }: BusRules): void {
  if (config.app.env !== "production" || kind === "combined") return;
  for (const { name, driver, subscribers } of buses) {
    const [subscriber] = driver === "inproc" ? subscribers() : [];
    if (subscriber !== undefined)
      throw new Error(
        `${settingOf("EVENTS", name, "DRIVER")}=inproc reaches no other process, and "${subscriber}" has subscribed: use redis where roles run apart`,
      );
  }
}

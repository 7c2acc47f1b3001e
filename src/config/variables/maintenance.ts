import { hour, second } from "../../core/clock.ts";
import { choice, duration, flag, text } from "./kinds/kinds.ts";
import { variablesOf, type Section } from "./kinds/variable.ts";

const maintenance = variablesOf("Maintenance");

export const maintenanceVariables = {
  driver: maintenance("APP_MAINTENANCE_DRIVER", choice("memory", "cache"), {
    fallback: "memory",
    description: "memory holds for this process until it ends; cache, for production, for all processes until disabled",
  }),
  store: maintenance("APP_MAINTENANCE_STORE", text, {
    fallback: "default",
    description: "Name of the cache that keeps the state",
  }),
  enabled: maintenance("APP_MAINTENANCE_ENABLED", flag, {
    fallback: "false",
    description: "true: on from the start, and maintenance:disable is refused until a start without it",
  }),
  staleMs: maintenance("APP_MAINTENANCE_STALE", duration(0, 24 * hour), {
    fallback: "5m",
    description: "How long the last known state counts while it can't be read; after that it counts as on",
  }),
  retryAfterMs: maintenance("APP_MAINTENANCE_RETRY_AFTER", duration(second, 24 * hour), {
    fallback: "60s",
    description: "When to come back, as 503 answers say in Retry-After",
  }),
} as const satisfies Section;

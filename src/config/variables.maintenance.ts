import { hour } from "../core/clock.ts";
import { choice, flag, text, type Variable } from "./variable.ts";

export const maintenanceVariables = [
  {
    group: "Maintenance",
    name: "APP_MAINTENANCE_DRIVER",
    kind: choice("memory", "cache"),
    fallback: "memory",
    description: "memory holds for this process until it ends; cache, for production, for all processes until disabled",
  },
  {
    group: "Maintenance",
    name: "APP_MAINTENANCE_STORE",
    kind: text,
    fallback: "default",
    description: "Name of the cache that keeps the state",
  },
  {
    group: "Maintenance",
    name: "APP_MAINTENANCE_ENABLED",
    kind: flag,
    fallback: "false",
    description: "true: on from the start, and maintenance:disable is refused until a start without it",
  },
  {
    group: "Maintenance",
    name: "APP_MAINTENANCE_RETRY_AFTER",
    kind: { type: "duration", minMs: 1_000, maxMs: 24 * hour },
    fallback: "60s",
    description: "When to come back, as 503 answers say in Retry-After",
  },
] as const satisfies readonly Variable[];

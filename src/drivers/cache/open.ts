import type { Clock } from "../../core/clock.ts";
import type { Database } from "../database/index.ts";
import { createDatabaseCache } from "./database.ts";
import type { Cache } from "./index.ts";
import { createMemoryCache } from "./memory.ts";

export interface CacheSettings {
  readonly driver: "memory" | "database";
}

export interface OpenCacheOptions {
  readonly name: string;
  readonly database: Database;
  readonly clock: Clock;
}

/** The only switch on cache driver names. */
export function openCache({ driver }: CacheSettings, { name, database, clock }: OpenCacheOptions): Cache {
  switch (driver) {
    case "memory":
      return createMemoryCache({ clock, name });
    case "database":
      return createDatabaseCache({ database, clock, name });
  }
}

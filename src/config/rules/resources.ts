import type { Config } from "../config.ts";
import { defaultResource } from "../reader.ts";

/** The variable with a setting of one resource: CACHE_DRIVER of the default one, CACHE_PROFILES_DRIVER of `profiles`. */
export const settingOf = (family: string, resource: string, setting: string): string =>
  resource === defaultResource ? `${family}_${setting}` : `${family}_${resource.toUpperCase()}_${setting}`;

/** The variables that put a cache in the memory of one process. */
export const memoryCaches = (cache: Config["cache"]): readonly string[] =>
  Object.entries(cache)
    .filter(([, { driver }]) => driver === "memory")
    .map(([resource]) => settingOf("CACHE", resource, "DRIVER"));

import { variableOf } from "../../../core/naming.ts";
import type { Config } from "../../config.ts";
import { defaultResource } from "../../reader.ts";

/** Returns the name of a resource's variable: CACHE_DRIVER for the default one, CACHE_USER_PROFILES_DRIVER for `user-profiles`. */
export const settingOf = (family: string, resource: string, setting: string): string =>
  resource === defaultResource ? `${family}_${setting}` : variableOf(`${family}_<NAME>_${setting}`, resource);

/** Returns the variables that put a cache in the memory of one process. */
export const memoryCaches = (cache: Config["cache"]): readonly string[] =>
  Object.entries(cache)
    .filter(([, { driver }]) => driver === "memory")
    .map(([resource]) => settingOf("CACHE", resource, "DRIVER"));

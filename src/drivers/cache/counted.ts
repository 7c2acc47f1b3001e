import { type Outcome, watchOutcome } from "../../core/outcome.ts";
import type { Cache } from "./index.ts";

/** Counts the operations; a counter of the application's metrics fits. */
interface CacheCounter {
  count(labels: { readonly name: string; readonly operation: string; readonly status: Outcome }): void;
}

/** Returns the cache with its operations counted. */
export function countCache(cache: Cache, operations: CacheCounter): Cache {
  const { name } = cache;
  const watch = <T>(operation: "get" | "set" | "delete", work: Promise<T>): Promise<T> =>
    watchOutcome(work, (status) => operations.count({ name, operation, status }));
  return {
    ...cache,
    get: (key) => watch("get", cache.get(key)),
    set: (key, value, options) => watch("set", cache.set(key, value, options)),
    delete: (key) => watch("delete", cache.delete(key)),
  };
}

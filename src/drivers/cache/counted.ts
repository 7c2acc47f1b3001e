import { type Outcome, watchOutcome } from "../../core/pace/outcome.ts";
import type { Cache } from "./index.ts";

interface CacheCounter {
  count(labels: { readonly name: string; readonly operation: string; readonly status: Outcome }): void;
}

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

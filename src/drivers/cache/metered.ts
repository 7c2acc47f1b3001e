import type { Cache } from "./index.ts";

/** What counts the operations; a counter of the application's metrics satisfies it. */
interface CacheMeter {
  count(labels: { readonly name: string; readonly operation: string; readonly status: "ok" | "failed" }): void;
}

/** The same cache, its operations counted. */
export function meterCache(cache: Cache, operations: CacheMeter): Cache {
  const { name } = cache;
  async function counted<T>(operation: "get" | "set" | "delete", result: Promise<T>): Promise<T> {
    try {
      const value = await result;
      operations.count({ name, operation, status: "ok" });
      return value;
    } catch (error) {
      operations.count({ name, operation, status: "failed" });
      throw error;
    }
  }
  return {
    ...cache,
    get: (key) => counted("get", cache.get(key)),
    set: (key, value, options) => counted("set", cache.set(key, value, options)),
    delete: (key) => counted("delete", cache.delete(key)),
  };
}

import type { Storage } from "./index.ts";

/** What counts the operations; a counter of the application's metrics satisfies it. */
interface StorageMeter {
  count(labels: { readonly name: string; readonly operation: string; readonly status: "ok" | "failed" }): void;
}

/** The same disk, its operations counted. `get` counts the opening of a file, not the reading. */
export function meterStorage(storage: Storage, operations: StorageMeter): Storage {
  const { name } = storage;
  async function counted<T>(operation: "put" | "get" | "stat" | "list" | "delete", result: Promise<T>): Promise<T> {
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
    ...storage,
    put: (file, content, options) => counted("put", storage.put(file, content, options)),
    get: (file) => counted("get", storage.get(file)),
    stat: (file) => counted("stat", storage.stat(file)),
    list: (options) => counted("list", storage.list(options)),
    delete: (file) => counted("delete", storage.delete(file)),
  };
}

import { type Outcome, watchOutcome } from "../../core/pace/outcome.ts";
import type { Storage } from "./index.ts";

interface StorageCounter {
  count(labels: { readonly name: string; readonly operation: string; readonly status: Outcome }): void;
}

/** Returns the disk with its operations counted. `get` counts the opening of a file, not the reading. */
export function countStorage(storage: Storage, operations: StorageCounter): Storage {
  const { name } = storage;
  const watch = <T>(operation: "put" | "get" | "stat" | "list" | "delete", work: Promise<T>): Promise<T> =>
    watchOutcome(work, (status) => operations.count({ name, operation, status }));
  return {
    ...storage,
    put: (file, content, options) => watch("put", storage.put(file, content, options)),
    get: (file) => watch("get", storage.get(file)),
    stat: (file) => watch("stat", storage.stat(file)),
    list: (options) => watch("list", storage.list(options)),
    delete: (file) => watch("delete", storage.delete(file)),
  };
}

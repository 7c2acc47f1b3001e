import type { PutOptions } from "./content.ts";
import { type FilePage, type ListOptions, type Storage, StorageUnavailable } from "./index.ts";
import { checkLimit, checkName, mostListed } from "./name.ts";

/** What a driver does itself: names and bounds are checked before it is asked. */
interface Disk extends Pick<Storage, "driver" | "name" | "get" | "stat" | "delete" | "ping"> {
  put(name: string, content: Parameters<Storage["put"]>[1], options: PutOptions): ReturnType<Storage["put"]>;
  list(options: Required<ListOptions>): Promise<FilePage>;
  /** Puts an error that the operator can do something about into plain words. */
  translate(error: unknown): Promise<unknown>;
}

/** What all disks have in common: checked names, errors in plain words, and a close that waits for what is being put. */
export function createDisk({ driver, name: disk, translate, ...own }: Disk): Storage {
  const writing = new Set<Promise<unknown>>();
  let closed = false;

  async function translated<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new StorageUnavailable(`storage disk "${disk}" is closed`);
    try {
      return await work();
    } catch (error) {
      throw await translate(error);
    }
  }

  return {
    driver,
    name: disk,
    async put(name, content, options = {}) {
      checkName(name);
      const work = translated(() => own.put(name, content, options));
      const watched = work.catch(() => undefined).finally(() => writing.delete(watched));
      writing.add(watched);
      return work;
    },
    async get(name) {
      checkName(name);
      return translated(() => own.get(name));
    },
    async stat(name) {
      checkName(name);
      return translated(() => own.stat(name));
    },
    list: async ({ prefix = "", after = "", limit = mostListed } = {}) =>
      translated(async () => own.list({ prefix, after, limit: checkLimit(limit) })),
    async delete(name) {
      checkName(name);
      await translated(() => own.delete(name));
    },
    ping: () => translated(own.ping),
    async close() {
      closed = true;
      await Promise.all(writing);
    },
  };
}

import type { DatabaseReader } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { InspectSummary } from "./inspect.ts";
import { createInspectReads, type InspectReads } from "./inspect.repository.ts";
import { createInspectSearch, type InspectReader, type InspectStore, type WhyUnread } from "./store.ts";

/** Another app on this host, whose inspects this one may read. */
export interface OtherApp {
  readonly app: string;
  /** Opens the other app's file for reading only; undefined where there is no file. */
  readonly open: () => DatabaseReader | undefined;
}

interface BothOptions {
  readonly app: string;
  readonly store: Pick<InspectStore, "search" | "find">;
  readonly other: OtherApp | undefined;
  readonly log: Log;
}

type Read<T> = { readonly value: T; readonly why?: never } | { readonly value?: never; readonly why: WhyUnread };

const noneWanted: Read<readonly InspectSummary[]> = { value: [] };

/** Creates a reader of the other app's file. Each read opens the file anew: the other app may have replaced it, or only just made it. */
function createOtherReader({ app, open }: OtherApp, log: Log) {
  let hasComplained = false;

  async function readFile<T>(file: DatabaseReader, work: (rows: InspectReads) => Promise<T>): Promise<Read<T>> {
    try {
      const rows = createInspectReads(file);
      const isKnown = await rows.isKnown();
      if (isKnown !== true) return { why: isKnown === undefined ? "absent" : "other_release" };
      return { value: await work(rows) };
    } finally {
      await file.close();
    }
  }

  return async <T>(work: (rows: InspectReads) => Promise<T>): Promise<Read<T>> => {
    try {
      const file = open();
      const read: Read<T> = file === undefined ? { why: "absent" } : await readFile(file, work);
      hasComplained = false;
      return read;
    } catch (error) {
      if (!hasComplained) log.warn("the inspects of the other app can't be read", { other_app: app, error });
      hasComplained = true;
      return { why: "unreadable" };
    }
  };
}

/** Reads the inspects of this app and of the other one as if they were in one file: the ids of both sort by time. */
export function createInspectReader({ app, store, other, log }: BothOptions): InspectReader {
  if (other === undefined)
    return { apps: [app], search: async (search) => ({ inspects: await store.search(search) }), find: store.find };
  const read = createOtherReader(other, log);
  return {
    apps: [app, other.app],

    async search(search) {
      const [own, others] = await Promise.all([
        search.app === other.app ? [] : store.search(search),
        search.app === app ? noneWanted : read((rows) => createInspectSearch(async () => rows).search(search)),
      ]);
      const inspects = [...own, ...(others.value ?? [])]
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, search.limit);
      return { inspects, ...(others.why !== undefined && { unread: { app: other.app, why: others.why } }) };
    },

    async find(id) {
      const own = await store.find(id);
      if (own?.id === id) return own;
      const { value: theirs } = await read((rows) => createInspectSearch(async () => rows).find(id));
      return own === undefined || (theirs !== undefined && theirs.id < own.id) ? theirs : own;
    },
  };
}

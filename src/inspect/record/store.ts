import { Value } from "@sinclair/typebox/value";
import type { Database, DatabaseReader } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import {
  createInspectReads,
  createInspectRepository,
  type Bounds,
  type InspectReads,
  type InspectRepository,
  type InspectRow,
  type Page,
} from "./inspect.repository.ts";
import { Inspect, type InspectSummary } from "./inspect.ts";

interface StoreOptions extends Bounds {
  /** Opens the file for the first inspect that is written or read: a command that does neither makes no file. */
  readonly open: () => Database;
}

export interface Search extends Page {
  readonly app?: string | undefined;
  /** A part of the inspect's name, in any case. */
  readonly name?: string | undefined;
  /** A part of anything that was recorded, in any case. */
  readonly text?: string | undefined;
}

/** Why the result has no inspects of the other app. */
export type WhyUnread = "absent" | "other_release" | "unreadable";

export interface Found {
  readonly inspects: readonly InspectSummary[];
  /** Present where the other app's inspects could not be read. */
  readonly unread?: { readonly app: string; readonly why: WhyUnread };
}

/** How many inspects a search reads before it lets other work of the process have its turn. */
const pageSize = 50;
/** How many inspects a search looks through before it answers with what it has found. */
const mostScanned = 20_000;

/** Searches a file of inspects of either app. */
const createInspectSearch = (rows: () => Promise<InspectReads>) => ({
  /** Finds inspects, newest first. Reads in small steps, so that no request waits for a search. */
  async search({ app, name, text, limit, before, ...page }: Search): Promise<readonly InspectSummary[]> {
    const store = await rows();
    const wanted = text?.toLowerCase();
    const named = name?.toLowerCase();
    // A search without a text wants nearly all that is read, so it reads no more than its limit.
    const step = wanted === undefined && named === undefined ? Math.min(pageSize, limit) : pageSize;
    const found: InspectSummary[] = [];
    let last = before;
    for (let scanned = 0; scanned < mostScanned; scanned += step) {
      const some = await store.page({ ...page, before: last, limit: step });
      for (const { id, body } of some) {
        last = id;
        if (wanted !== undefined && !body.toLowerCase().includes(wanted)) continue;
        const inspect = read(body);
        if (inspect === undefined) continue;
        const { events: _events, ...summary } = inspect;
        if (app !== undefined && summary.app !== app) continue;
        if (named !== undefined && !summary.name.toLowerCase().includes(named)) continue;
        found.push(summary);
        if (found.length === limit) return found;
      }
      if (some.length < step) break;
    }
    return found;
  },

  async find(id: string): Promise<Inspect | undefined> {
    const store = await rows();
    const body = /^[\da-f]{32}$/.test(id) ? await store.findFirst(id) : await store.find(id);
    return body === undefined ? undefined : read(body);
  },
});

/** Keeps the inspects of all processes of an app on a host, in a file of their own, so that nothing else waits for them. */
export function createInspectStore({ open, ...bounds }: StoreOptions) {
  let database: Database | undefined;
  let opening: Promise<InspectRepository> | undefined;
  let closed = false;

  async function prepare(): Promise<InspectRepository> {
    if (closed) throw new Error("the inspects are closed");
    database ??= open();
    const rows = createInspectRepository(database);
    await rows.prepare();
    return rows;
  }
  function rows(): Promise<InspectRepository> {
    opening ??= prepare().catch((error: unknown) => {
      // A later call tries again: a disk that was full may have room by then.
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    add: async (added: readonly InspectRow[]): Promise<void> => (await rows()).add(added, bounds),

    ...createInspectSearch(rows),

    totals: async () => (await rows()).totals(),

    async close(): Promise<void> {
      closed = true;
      await opening?.catch(() => undefined);
      await database?.close();
    },
  };
}

export type InspectStore = ReturnType<typeof createInspectStore>;

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

export type InspectReader = ReturnType<typeof createInspectReader>;

/** Reads the inspects of this app, and those of the other one as if they were in one file: the ids of both sort by time. */
export function createInspectReader({ app, store, other, log }: BothOptions) {
  const read = other && createOtherReader(other, log);
  const apps: readonly string[] = [app, ...(other === undefined ? [] : [other.app])];
  return {
    /** The apps whose inspects are read, this app first. */
    apps,

    async search(search: Search): Promise<Found> {
      if (other === undefined || read === undefined) return { inspects: await store.search(search) };
      const [own, others] = await Promise.all([
        search.app === other.app ? [] : store.search(search),
        search.app === app ? noneWanted : read((rows) => createInspectSearch(async () => rows).search(search)),
      ]);
      const inspects = [...own, ...(others.value ?? [])]
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, search.limit);
      return { inspects, ...(others.why !== undefined && { unread: { app: other.app, why: others.why } }) };
    },

    /** Finds an inspect by its id, or the first inspect of a trace by the trace's id. */
    async find(id: string): Promise<Inspect | undefined> {
      const own = await store.find(id);
      if (own?.id === id || read === undefined) return own;
      const { value: theirs } = await read((rows) => createInspectSearch(async () => rows).find(id));
      return own === undefined || (theirs !== undefined && theirs.id < own.id) ? theirs : own;
    },
  };
}

/** Returns undefined for an inspect of another release in a form that this one does not read. 0.1.0 wrote no `user_ids`. */
function read(body: string): Inspect | undefined {
  const value: unknown = { user_ids: [], ...Object(JSON.parse(body)) };
  return Value.Check(Inspect, value) ? value : undefined;
}

import { Value } from "@sinclair/typebox/value";
import type { Database } from "../../drivers/database/index.ts";
import {
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
  /** The name of the app that recorded the inspect. */
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

/** Reads for pages and the API: the inspects of this app, and those of the other one where this app may see them. */
export interface InspectReader {
  /** The apps whose inspects are read, this app first. */
  readonly apps: readonly string[];
  /** Finds inspects, newest first. */
  search(search: Search): Promise<Found>;
  /** Finds an inspect by its id, or the first inspect of a trace by the trace's id. */
  find(id: string): Promise<Inspect | undefined>;
}

/** How many inspects a search reads before it lets other work of the process have its turn. */
const pageSize = 50;
/** How many inspects a search looks through before it answers with what it has found. */
const mostScanned = 20_000;

/** Searches a file of inspects of either app. */
export const createInspectSearch = (rows: () => Promise<InspectReads>) => ({
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

  /** Finds an inspect by its id, or the first inspect of a trace by the trace's id. */
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

/** Returns undefined for an inspect of another release in a form that this one does not read. 0.1.0 wrote no `user_ids`. */
function read(body: string): Inspect | undefined {
  const value: unknown = { user_ids: [], ...Object(JSON.parse(body)) };
  return Value.Check(Inspect, value) ? value : undefined;
}

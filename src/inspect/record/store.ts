import { Value } from "@sinclair/typebox/value";
import type { Database } from "../../drivers/database/index.ts";
import {
  createInspectRepository,
  type Bounds,
  type InspectRepository,
  type InspectRow,
  type Page,
} from "./inspect.repository.ts";
import { Inspect, type InspectSummary } from "./inspect.ts";

interface StoreOptions extends Bounds {
  /** Called when the first inspect is written or read, not before: a command that only looks makes no file. */
  readonly open: () => Database;
}

export interface Search extends Page {
  /** Part of the name. */
  readonly name?: string | undefined;
  /** Part of anything that was recorded. */
  readonly text?: string | undefined;
}

/** Read at once, between two turns of everybody else. */
const pageSize = 50;
const mostScanned = 20_000;

/** The inspects of all processes of an app on a host: one file of their own, so that nobody waits for them. */
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
      // Tried again by the next who asks: a disk that was full has room again.
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    add: async (added: readonly InspectRow[]): Promise<void> => (await rows()).add(added, bounds),

    /** Newest first. Looks through the text of the records in small steps, so that no request waits for a search. */
    async search({ name, text, limit, before, ...page }: Search): Promise<readonly InspectSummary[]> {
      const store = await rows();
      const wanted = text?.toLowerCase();
      const named = name?.toLowerCase();
      const found: InspectSummary[] = [];
      let last = before;
      for (let scanned = 0; scanned < mostScanned; scanned += pageSize) {
        const some = await store.page({ ...page, before: last, limit: pageSize });
        for (const { id, body } of some) {
          last = id;
          if (wanted !== undefined && !body.toLowerCase().includes(wanted)) continue;
          const inspect = read(body);
          if (inspect === undefined) continue;
          const { events: _events, ...summary } = inspect;
          if (named !== undefined && !summary.name.toLowerCase().includes(named)) continue;
          found.push(summary);
          if (found.length === limit) return found;
        }
        if (some.length < pageSize) break;
      }
      return found;
    },

    /** By its own id, or by a trace's: then the first of it. */
    async find(id: string): Promise<Inspect | undefined> {
      const store = await rows();
      const body = /^[\da-f]{32}$/.test(id) ? await store.findFirst(id) : await store.find(id);
      return body === undefined ? undefined : read(body);
    },

    totals: async () => (await rows()).totals(),

    async close(): Promise<void> {
      closed = true;
      await opening?.catch(() => undefined);
      await database?.close();
    },
  };
}

export type InspectStore = ReturnType<typeof createInspectStore>;

/** Undefined for what another release wrote in a form that this one does not read. */
function read(body: string): Inspect | undefined {
  const value: unknown = JSON.parse(body);
  return Value.Check(Inspect, value) ? value : undefined;
}

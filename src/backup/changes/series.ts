import type { Millis } from "../../core/clock.ts";
import type { PageChanges } from "../../drivers/database/index.ts";
import type { Installation } from "../names.ts";
import type { Vault } from "../vault.ts";
import { copyName, newSeries } from "./history.ts";
import { encode, type Head, pagesInOrder } from "./object.ts";

/** A file of pages on its way to the disk: the same bytes are put again and again until they are there. */
interface Outgoing {
  readonly head: Head;
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

type Shape = Pick<PageChanges, "pageSize" | "pageCount">;

interface State extends Shape {
  readonly at: Millis;
}

/** How many bytes may wait in memory for the disk. Beyond them the series ends, and a new one begins with a copy. */
const mostWaitingBytes = 64 * 1024 * 1024;
const nothing = "0".repeat(64);

/** Makes a series: changes without a gap, in the order in which they go to the disk. */
export function createSeries(installation: Installation, vault: Pick<Vault, "put" | "key">, now: Millis) {
  const name = newSeries(now);
  /** How many files of pages were made, waiting ones included. */
  let made = 0;
  let last = nothing;
  let state: State | undefined;
  let pending = new Map<number, Uint8Array>();
  let outgoing: Outgoing | undefined;
  /** Bytes that were put since the last copy. */
  let putSinceCopy = 0;

  const headOf = (gatehouse: Head["gatehouse"], from: State, pages: number, after: string): Head => ({
    gatehouse,
    format: 2,
    series: name,
    sequence: made,
    at: from.at,
    page_size: from.pageSize,
    page_count: from.pageCount,
    pages,
    after,
  });

  return {
    name,
    /** Adds what was collected. Returns false where too much waits for the disk. */
    add({ pageSize, pageCount, pages }: PageChanges, at: Millis): boolean {
      state = { at: Math.max(at, state?.at ?? 0), pageSize, pageCount };
      for (const [number, content] of pages) pending.set(number, content);
      return (pending.size + (outgoing?.pages.size ?? 0)) * pageSize <= mostWaitingBytes;
    },
    hasPending: (): boolean => pending.size > 0,
    isPutting: (): boolean => outgoing !== undefined,
    putSinceCopy: (): number => putSinceCopy,

    /** Puts the file that could not be put before, or else what waits. Resolves to the time of the state that is on the disk then. */
    async put(signal: AbortSignal): Promise<Millis | undefined> {
      if (outgoing === undefined) {
        if (state === undefined) return undefined;
        made += 1;
        outgoing = { head: headOf("pages", state, pending.size, last), pages: pending };
        pending = new Map();
      }
      const { head, pages } = outgoing;
      let digest = "";
      const content = encode(head, pagesInOrder(pages), { key: vault.key, digest: (hex) => (digest = hex) });
      const { size } = await vault.put(copyName(installation, head), content, { signal });
      last = digest;
      outgoing = undefined;
      putSinceCopy += size;
      return head.at;
    },

    /** Plans a copy of the state that everything put so far leads to. Throws while something waits. */
    planCopy(shape: Shape, at: Millis) {
      if (outgoing !== undefined || pending.size > 0)
        throw new Error("a copy is of a state that is not on the disk yet");
      state = { ...shape, at: Math.max(at, state?.at ?? 0) };
      const head = headOf("copy", state, shape.pageCount, last);
      putSinceCopy = 0;
      return { head, name: copyName(installation, head) };
    },
  };
}

export type Series = ReturnType<typeof createSeries>;

import type { Millis } from "../../core/clock.ts";
import type { PageChanges } from "../../drivers/database/index.ts";
import type { Installation } from "../names.ts";
import type { Vault } from "../vault.ts";
import { copyName, newSeries } from "./history.ts";
import { encode, type Head, pagesInOrder } from "./object.ts";

/** A file of pages on its way: it is put again and again, the same, until it is there. */
interface Outgoing {
  readonly head: Head;
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

type Shape = Pick<PageChanges, "pageSize" | "pageCount">;

interface State extends Shape {
  readonly at: Millis;
}

/** A copy as it is to be put: the state that it holds, and the file that has it. */
export interface CopyPlan {
  readonly head: Head;
  readonly name: string;
}

/** What may wait in memory for the disk. Beyond it the series ends, and a new one begins with a copy. */
const mostWaitingBytes = 64 * 1024 * 1024;
const nothing = "0".repeat(64);

/** Changes without a gap, in the order in which they go to the disk. */
export function createSeries(installation: Installation, vault: Pick<Vault, "put" | "key">, now: Millis) {
  const name = newSeries(now);
  /** The files of pages that were made, those that wait included. */
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
    /** Adds what was collected; false where it is too much. */
    add({ pageSize, pageCount, pages }: PageChanges, at: Millis): boolean {
      state = { at: Math.max(at, state?.at ?? 0), pageSize, pageCount };
      for (const [number, content] of pages) pending.set(number, content);
      return (pending.size + (outgoing?.pages.size ?? 0)) * pageSize <= mostWaitingBytes;
    },
    hasPending: (): boolean => pending.size > 0,
    isPutting: (): boolean => outgoing !== undefined,
    putSinceCopy: (): number => putSinceCopy,

    /** Puts what waits, or what could not be put before. Resolves to the time of the state that is on the disk then. */
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

    /** A copy of the state to which all that was put leads. Nothing may wait. */
    planCopy(shape: Shape, at: Millis): CopyPlan {
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

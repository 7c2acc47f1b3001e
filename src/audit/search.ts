import type { Position } from "../core/text/position.ts";
import type { AuditRow, AuditSearch } from "./audit.repository.ts";
import type { AuditSearchRepository } from "./search.repository.ts";

export interface AuditPage {
  readonly rows: readonly AuditRow[];
  /** The position to go on from; undefined when nothing older is left. */
  readonly next: Position | undefined;
  /** Whether the search stopped at its bound before the page was full: more rows may follow further back. */
  readonly gaveUp: boolean;
}

export type AuditWindows = AsyncGenerator<readonly AuditRow[], boolean, undefined>;

const windowWidth = 500;
/** A page looks at 5,000 rows at most: about 50 ms where they lie all over a log of ten million. */
const mostWindows = 10;

/** Reads pages of the log. A search that finds little among many rows stops at a bound, and says so. */
export function createAuditSearch(repository: AuditSearchRepository) {
  async function page(search: AuditSearch, before: Position | undefined, limit: number): Promise<AuditPage> {
    const rows: AuditRow[] = [];
    let from = before;
    for (let windows = 0; windows < mostWindows; windows += 1) {
      const { rows: found, end } = await repository.window(search, from, windowWidth);
      rows.push(...found);
      if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1], gaveUp: false };
      if (end === undefined) return { rows, next: undefined, gaveUp: false };
      from = end;
    }
    return { rows, next: from, gaveUp: true };
  }

  /** Yields windows of the search, newest first. Returns true when the log has ended, and false when the bound was reached first. */
  async function* windows(search: AuditSearch, mostLookedAt: number): AuditWindows {
    let from: Position | undefined;
    for (let looked = 0; looked < mostLookedAt; looked += windowWidth) {
      const { rows, end } = await repository.window(search, from, windowWidth);
      yield rows;
      if (end === undefined) return true;
      from = end;
    }
    return false;
  }

  return { page, windows };
}

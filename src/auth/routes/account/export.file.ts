import { timestamp, type Clock } from "../../../core/clock.ts";
import type { ExportReads } from "../../flow/account/export.service.ts";
import { presentEvent, presentExport } from "./export.view.ts";

interface FileOptions {
  readonly reads: Pick<ExportReads, "firstPage" | "eventsBefore">;
  readonly clock: Clock;
}

/** More pages of events than any account has. */
const mostPages = 100_000;

/**
 * Writes everything that is kept of an account as one JSON document, the same that its person gets. Its lines come while the log is read, so
 * that memory holds one page of it. Throws `not_found`.
 */
export const createAccountFile = ({ reads, clock }: FileOptions) =>
  async function* linesOf(userId: string): AsyncGenerator<string, void, undefined> {
    const exportedAt = timestamp(clock.now());
    const { events, next: first, ...rest } = presentExport(await reads.firstPage(userId));
    const head = JSON.stringify({ exported_at: exportedAt, ...rest });
    yield `${head.slice(0, -1)},"events":[`;
    yield events.map((event) => JSON.stringify(event)).join(",\n");
    let next = first ?? undefined;
    for (let pages = 1; next !== undefined && pages < mostPages; pages += 1) {
      const page = await reads.eventsBefore(userId, next);
      for (const event of page.events) yield `,${JSON.stringify(presentEvent(event, userId))}`;
      next = page.next;
    }
    yield `],"next":${JSON.stringify(next ?? null)}}`;
  };

export type AccountFile = ReturnType<typeof createAccountFile>;

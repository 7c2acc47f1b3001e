import type { Audit } from "../../audit/index.ts";
import { readPosition, writePosition } from "../../core/position.ts";
import type { EventsPage } from "./events.section.tsx";

const eventsAPage = 30;

/** Reads the audit log of one account page by page, the newest first. A cursor that makes no sense leads to the first page. */
export const createEventPages =
  (audit: Pick<Audit, "ofSubject">) =>
  async (userId: string, cursor: string | null): Promise<EventsPage> => {
    const before = readPosition(cursor ?? "");
    const found = await audit.ofSubject(userId, before, eventsAPage + 1);
    const rows = found.slice(0, eventsAPage);
    const last = found.length > eventsAPage ? rows.at(-1) : undefined;
    return { rows, isFirst: before === undefined, next: last && writePosition(last) };
  };

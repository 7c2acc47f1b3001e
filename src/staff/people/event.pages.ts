import type { Audit } from "../../audit/index.ts";
import type { AccountName } from "../../auth/index.ts";
import { readPosition, writePosition } from "../../core/text/position.ts";
import type { EventsPage } from "./sections/events.section.tsx";

interface EventPageOptions {
  readonly audit: Pick<Audit, "ofSubject">;
  readonly namesOf: (ids: Iterable<string>) => Promise<ReadonlyMap<string, AccountName>>;
}

const eventsAPage = 30;

/** Reads the audit log of one account page by page, newest first. A cursor that makes no sense leads to the first page. */
export const createEventPages =
  ({ audit, namesOf }: EventPageOptions) =>
  async (userId: string, cursor: string | null): Promise<EventsPage> => {
    const before = readPosition(cursor ?? "");
    const found = await audit.ofSubject(userId, before, eventsAPage + 1);
    const rows = found.slice(0, eventsAPage);
    const last = found.length > eventsAPage ? rows.at(-1) : undefined;
    const staff = rows.flatMap(({ actor, actorUserId }) => (actor === "staff" ? (actorUserId ?? []) : []));
    return { rows, names: await namesOf(staff), isFirst: before === undefined, next: last && writePosition(last) };
  };

import type { App } from "../app/index.ts";
import { countInWords } from "../core/audit.ts";
import type { Column } from "./terminal/columns.ts";

interface EventRow {
  readonly action: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly count: number;
}

/** What a row of the audit log says happened, wherever it is shown. */
export const eventColumns: readonly Column<EventRow>[] = [
  { head: "ACTION", of: ({ action, count }) => `${action}${countInWords(action, count)}`, least: 16 },
  { head: "OUTCOME", of: ({ outcome, reason }) => reason ?? outcome, least: 10 },
];

/** As many names as one look-up gives. */
const namesAtOnce = 200;

/** Of an account that is gone nothing but its id is left: the end of it, by which one is told from another. */
const gone = (id: string): string => `(gone) ${id.slice(-12)}`;

/** Everybody whom rows are about, or who did it, by what they are called. */
export async function namesIn(
  ids: readonly (string | null)[],
  namesOf: App["namesOf"],
): Promise<(id: string) => string> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  const names = new Map<string, string>();
  for (let start = 0; start < known.length; start += namesAtOnce) {
    const found = await namesOf(known.slice(start, start + namesAtOnce));
    for (const [id, { username }] of found) names.set(id, username);
  }
  return (id) => names.get(id) ?? gone(id);
}

interface Doer {
  readonly actor: string;
  readonly actorUserId: string | null;
  readonly service: string | null;
  readonly address: string | null;
}

/** Who did it, and from where. Of the staff it says which of them. */
export function byWhom({ actor, actorUserId, service, address }: Doer, nameOf: (id: string) => string): string {
  const name = actor === "staff" && actorUserId !== null ? nameOf(actorUserId) : null;
  return [actor, actor === "service" ? service : name, address].filter((part) => part !== null).join(" ");
}

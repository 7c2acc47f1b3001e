import type { App } from "../app/index.ts";
import { countedInWords } from "../words/counted.ts";
import { englishStaffWords } from "../words/staff.ts";
import type { Column } from "./terminal/columns.ts";

interface EventRow {
  readonly action: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly count: number;
}

/** Columns that say what happened in a row of the audit log, in every list. */
export const eventColumns: readonly Column<EventRow>[] = [
  { head: "ACTION", of: (row) => countedInWords(row.action, row, englishStaffWords().reasons), least: 16 },
  { head: "OUTCOME", of: ({ outcome, reason }) => reason ?? outcome, least: 10 },
];

/** How many names one look-up returns. */
const namesAtOnce = 200;

/** Stands for a deleted account, of which only the id is left: the end of an id tells accounts apart. */
const gone = (id: string): string => `(gone) ${id.slice(-12)}`;

/** Looks up the names of everybody whom rows concern, or who acted. */
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
  /** The account that it was done to, where the row says so. */
  readonly subjectUserId?: string | null;
  readonly operator: string | null;
  readonly service: string | null;
  readonly address: string | null;
}

/** Says who acted and from where. Somebody who did it to the account of another is named. */
export function byWhom(
  { actor, actorUserId, operator, subjectUserId, service, address }: Doer,
  nameOf: (id: string) => string,
): string {
  const isOther = actor === "staff" || (actor === "user" && actorUserId !== subjectUserId);
  const name = isOther && actorUserId !== null ? nameOf(actorUserId) : null;
  const who = operator === null ? actor : `${actor} (${operator})`;
  return [who, actor === "service" ? service : name, address].filter((part) => part !== null).join(" ");
}

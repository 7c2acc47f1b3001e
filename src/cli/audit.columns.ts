import type { Column } from "./columns.ts";

interface EventRow {
  readonly action: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly count: number;
}

/** What a row of the audit log says happened, wherever it is shown. */
export const eventColumns: readonly Column<EventRow>[] = [
  { head: "ACTION", of: ({ action, count }) => (count === 1 ? action : `${action} (${count} times)`), least: 16 },
  { head: "OUTCOME", of: ({ outcome, reason }) => reason ?? outcome, least: 10 },
];

interface Doer {
  readonly actor: string;
  /** Of a member of staff. */
  readonly name: string | null;
  readonly service: string | null;
  readonly address: string | null;
}

/** Who did it, and from where. */
export const byWhom = ({ actor, name, service, address }: Doer): string =>
  [actor, actor === "service" ? service : name, address].filter((part) => part !== null).join(" ");

import type { KnownMigration } from "../migration.ts";

/** How far a migration has come that is committed in parts. */
export interface Begun {
  readonly id: string;
  /** How many of its parts are committed. */
  readonly parts: number;
  /** The beginning of the checksum of its text: another text has other parts. */
  readonly checksum: string;
}

const begun = /^(\w+) (\d+) (\w+)$/;
const checksumLetters = 16;

export const textOf = ({ checksum }: Pick<KnownMigration, "checksum">): string => checksum.slice(0, checksumLetters);

/** What `schema_head` says once so many parts of a migration are committed, but not all. */
export const headWithin = (migration: Pick<KnownMigration, "id" | "checksum">, parts: number): string =>
  `${migration.id} ${parts} ${textOf(migration)}`;

/** Reads what `schema_head` says. Undefined where the last migration is applied as a whole. */
export function readHead(head: string | undefined): Begun | undefined {
  const [, id, parts, checksum] = begun.exec(head ?? "") ?? [];
  return id === undefined || checksum === undefined ? undefined : { id, parts: Number(parts), checksum };
}

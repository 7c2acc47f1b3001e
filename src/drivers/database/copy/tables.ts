import { DatabaseUnavailable } from "../index.ts";
import type { Table } from "./side.ts";

/** Tables that the migrations themselves write: both databases have them already, each with its own content. */
const bookkeeping: ReadonlySet<string> = new Set(["schema_migrations", "schema_head"]);

/** Whether a migration has made the table with its single row: the row is replaced. */
export const isSetting = ({ columns }: Table): boolean => columns.some(({ name }) => name === "only_row");

/** Returns the tables to copy, each after those that its rows refer to. Throws where the two databases have different tables. */
export function tablesToCopy(source: readonly Table[], target: readonly Table[]): readonly Table[] {
  const [here, there] = [source, target].map((tables) => tables.filter(({ name }) => !bookkeeping.has(name)));
  const shapes = new Map((there ?? []).map((table) => [table.name, shapeOf(table)]));
  const different = (here ?? []).filter((table) => shapes.get(table.name) !== shapeOf(table)).map(({ name }) => name);
  const known = new Set((here ?? []).map(({ name }) => name));
  const all = [...different, ...[...shapes.keys()].filter((name) => !known.has(name))].toSorted();
  if (all.length > 0) {
    throw new DatabaseUnavailable(
      `${all.join(", ")}: the two databases have not the same tables and columns. Was something added by hand?`,
      undefined,
    );
  }
  return inOrder(here ?? []);
}

const shapeOf = ({ columns, key }: Table): string =>
  JSON.stringify([columns.map(({ name, kind }) => [name, kind]), key]);

/** Sorts tables so that each follows those that it refers to, otherwise by name. */
function inOrder(tables: readonly Table[]): readonly Table[] {
  const ordered: Table[] = [];
  const placed = new Set<string>();
  let rest = tables.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  while (rest.length > 0) {
    const ready = rest.filter(({ references }) => references.every((name) => placed.has(name)));
    if (ready.length === 0) {
      throw new Error(`the tables ${rest.map(({ name }) => name).join(", ")} refer to one another in a circle`);
    }
    for (const table of ready) placed.add(table.name);
    ordered.push(...ready);
    rest = rest.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}

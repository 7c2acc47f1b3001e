import { DatabaseUnavailable } from "../index.ts";
import { type CopySide, type CopySource, type CopyTarget, type Flaw, type Table } from "./side.ts";

export type CopyStep = "copying" | "indexing" | "comparing";

export interface CopyOptions {
  readonly source: CopySource;
  readonly target: CopyTarget;
  readonly signal: AbortSignal;
  /** Called with how far a step has come: in rows copied, in indexes and references made, and in rows compared. */
  readonly onProgress: (step: CopyStep, done: number, total: number) => void;
}

export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 over all rows in the order of their keys. */
  readonly checksum: string;
}

export interface CopyReport {
  readonly tables: readonly CopiedTable[];
  /** True where the target had all rows already: nothing was written. */
  readonly wasThere: boolean;
}

const mostFlaws = 20;

/** Thrown for values that the target can't take. Nothing was copied. */
export class FlawedRows extends Error {
  readonly flaws: readonly Flaw[];
  /** True where there are more flaws than are listed. */
  readonly isCut: boolean;

  constructor(flaws: readonly Flaw[]) {
    super("the source has values that the target would not take: nothing was copied");
    this.name = "FlawedRows";
    this.flaws = flaws.slice(0, mostFlaws);
    this.isCut = flaws.length > mostFlaws;
  }
}

const refusal = (message: string): DatabaseUnavailable => new DatabaseUnavailable(message);

/**
 * Copies all rows, reads them back and compares them, and only then commits: the target has all of the source or nothing of it, also where
 * this process is killed. A target that has all of it already is only compared.
 */
export async function copyRows(options: CopyOptions): Promise<CopyReport> {
  const { source, target } = options;
  const tables = tablesToCopy(await source.tables(), await target.tables());
  await refuseFlaws(source, tables);
  await target.hold(tables);
  const counts = await rowCounts(source, tables);
  const wasThere = await isFilled(target, tables, counts);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (!wasThere) await target.strip(tables);
  const copied = await passOver(options, "copying", source, tables, total, wasThere ? undefined : target);
  if (!wasThere)
    await target.dress(tables, (done, all) => {
      options.signal.throwIfAborted();
      options.onProgress("indexing", done, all);
    });
  const found = await passOver(options, "comparing", target, tables, total);
  const different = copied.filter(({ checksum }, index) => checksum !== found[index]?.checksum);
  if (different.length > 0) {
    const names = different.map(({ table }) => table).join(", ");
    throw refusal(
      wasThere ? filled(target, names) : `${names}: what was copied differs from the source. It was undone`,
    );
  }
  if (!wasThere) await target.commit();
  return { tables: copied, wasThere };
}

async function refuseFlaws(source: CopySource, tables: readonly Table[]): Promise<void> {
  const flaws: Flaw[] = [];
  for (const table of tables) {
    if (flaws.length <= mostFlaws) flaws.push(...(await source.flaws(table, mostFlaws + 1 - flaws.length)));
  }
  if (flaws.length > 0) throw new FlawedRows(flaws);
}

async function rowCounts(side: CopySide, tables: readonly Table[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) counts.set(table.name, await side.count(table));
  return counts;
}

const filled = ({ location }: CopySide, names: string): string =>
  `${location} has rows of its own: ${names}. Copy into a new database to which nothing but migrate was applied`;

/** Returns whether the target has as many rows as the source. Throws where it has other rows. */
async function isFilled(
  target: CopySide,
  tables: readonly Table[],
  wanted: ReadonlyMap<string, number>,
): Promise<boolean> {
  const counts = await rowCounts(target, tables);
  const own = tables.filter((table) => !isSetting(table) && counts.get(table.name) !== 0).map(({ name }) => name);
  if (own.length === 0) return false;
  if (tables.every(({ name }) => counts.get(name) === wanted.get(name))) return true;
  throw refusal(filled(target, own.map((name) => `${name} (${counts.get(name)})`).join(", ")));
}

/** Reads every row of a side, writes it into the target where one is given, and makes the checksums. */
async function passOver(
  { onProgress, signal }: CopyOptions,
  step: "copying" | "comparing",
  side: CopySide,
  tables: readonly Table[],
  total: number,
  target?: CopyTarget,
): Promise<readonly CopiedTable[]> {
  const passed: CopiedTable[] = [];
  let done = 0;
  for (const table of tables) {
    const hasher = new Bun.CryptoHasher("sha256");
    const before = done;
    if (isSetting(table)) await target?.clear(table);
    // While one page is written, the next one is read.
    let writing: Promise<void> | undefined;
    for await (const page of side.pages(table)) {
      signal.throwIfAborted();
      hasher.update(page.lines);
      await writing;
      writing = target?.write(table, page);
      // A failure is noticed by the next turn, which waits for this page.
      writing?.catch(() => undefined);
      done += page.rows;
      onProgress(step, done, total);
    }
    await writing;
    passed.push({ table: table.name, rows: done - before, checksum: hasher.digest("hex") });
  }
  return passed;
}

/** Tables that the migrations themselves write: both databases have them already, each with its own content. */
const bookkeeping: ReadonlySet<string> = new Set(["schema_migrations", "schema_head"]);

/** Whether a migration has made the table with its single row: the row is replaced. */
const isSetting = ({ columns }: Table): boolean => columns.some(({ name }) => name === "only_row");

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

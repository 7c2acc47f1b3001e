import { allOrNone } from "../../../../core/pace/all.or.none.ts";
import type { CheckOptions } from "../../capabilities.ts";
import { DatabaseUnavailable } from "../../index.ts";
import { translate } from "../errors.ts";
import { openImmutable } from "../files.ts";
import { inThread, type Order } from "./thread.ts";

interface Checked {
  readonly path: string;
  /** The name of the file in messages. */
  readonly name: string;
  readonly failed?: (why: string) => Error;
}

/** A table, with the rows that it has had at most and what these cost to check. */
interface Table {
  readonly table: string;
  readonly rows: number;
  readonly weight: number;
}

/** What one thread checks. The next lot gets a thread of its own once that one is done. */
type Lot = Pick<Extract<Order, { kind: "check" }>, "tables" | "whole">;

/** Reading each page once costs about an eighth of looking up each row in each index. */
const wholeShare = 1 / 8;
/** A table with less of the work than this is not worth a lot of its own. */
const leastShare = 1 / 50;

function tablesOf(path: string): readonly Table[] {
  using connection = openImmutable(path);
  return connection
    .prepare<{ name: string; indexes: number; hasRowid: number }, []>(
      `select t.name, (select count(*) from pragma_index_list(t.name)) as indexes, not t.wr as hasRowid
       from pragma_table_list t where t.schema = 'main' and t.type = 'table' and t.name <> 'sqlite_schema'`,
    )
    .all()
    .map(({ name, indexes, hasRowid }) => {
      const counting = `select coalesce(${hasRowid === 1 ? "max(rowid)" : "count(*)"}, 0) as rows from "${name.replaceAll('"', '""')}"`;
      const rows = connection.prepare<{ rows: number }, []>(counting).get()?.rows ?? 0;
      return { table: name, rows, weight: rows * (1 + indexes) };
    });
}

/**
 * Returns the work in lots, the heaviest first. Nobody knows beforehand what an index with a condition costs, so that the next
 * lot is begun whenever one is done. The small tables are one lot with the file as a whole.
 */
function lotsOf(tables: readonly Table[]): readonly Lot[] {
  const all = tables.reduce((sum, { weight }) => sum + weight, 0);
  const isLarge = ({ weight }: Table): boolean => weight > all * leastShare;
  const small = tables.filter((each) => !isLarge(each));
  const whole = small.reduce((sum, { weight }) => sum + weight, all * wholeShare);
  return [
    ...tables.filter(isLarge).map(({ table, weight }) => ({ tables: [table], whole: false, weight })),
    { tables: small.map(({ table }) => table), whole: true, weight: whole },
  ].toSorted((a, b) => b.weight - a.weight);
}

/** Checks every page, index and reference of a file that nobody writes, without holding up this process. */
export async function checkInThreads(
  { path, name, failed = (why) => new DatabaseUnavailable(why) }: Checked,
  { threads = 1, signal, onChecked }: CheckOptions,
): Promise<void> {
  let tables: readonly Table[];
  try {
    tables = tablesOf(path);
  } catch (error) {
    const told = translate(name, error);
    throw failed(told instanceof Error ? told.message : String(told));
  }
  const rows = new Map(tables.map((each) => [each.table, each.rows]));
  const total = tables.reduce((sum, each) => sum + each.rows, 0);
  let done = 0;
  onChecked?.(done, total);
  const onEach = (table: string): void => {
    done += rows.get(table) ?? 0;
    onChecked?.(done, total);
  };
  const left = [...lotsOf(tables)];
  const runner = async (each: AbortSignal): Promise<void> => {
    for (let lot = left.shift(); lot !== undefined; lot = left.shift())
      await inThread({ kind: "check", path, name, ...lot }, { signal: each, failed, onChecked: onEach });
  };
  await allOrNone(
    signal,
    Array.from({ length: threads }, () => runner),
  );
}

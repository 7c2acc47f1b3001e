import { allOrNone } from "../../../../core/pace/all.or.none.ts";
import type { CheckOptions } from "../../capabilities.ts";
import { DatabaseUnavailable } from "../../index.ts";
import { translate } from "../errors.ts";
import { openImmutable } from "../files.ts";
import { inThread } from "./thread.ts";

interface Checked {
  readonly path: string;
  /** The name of the file in messages. */
  readonly name: string;
  readonly failed?: (why: string) => Error;
}

/** A piece of the work: a table with its indexes, or with no table the file as a whole. */
interface Piece {
  readonly table: string | undefined;
  readonly rows: number;
  readonly weight: number;
}

/** Reading each page once costs about an eighth of looking up each row in each index. */
const wholeShare = 1 / 8;

/** Returns the pieces of the file, by the rows that their tables have had at most and what these cost to check. */
function piecesOf(path: string): readonly Piece[] {
  using connection = openImmutable(path);
  const tables = connection
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
  const all = tables.reduce((sum, { weight }) => sum + weight, 0);
  return [...tables, { table: undefined, rows: 0, weight: all * wholeShare }];
}

/** Shares the pieces out, the heaviest first, each to who has least. */
function sharedOut(pieces: readonly Piece[], threads: number): readonly (readonly Piece[])[] {
  const shares = Array.from({ length: threads }, () => ({ weight: 0, pieces: new Array<Piece>() }));
  for (const piece of pieces.toSorted((a, b) => b.weight - a.weight)) {
    const [least] = shares.toSorted((a, b) => a.weight - b.weight);
    least?.pieces.push(piece);
    if (least !== undefined) least.weight += piece.weight;
  }
  return shares.map((share) => share.pieces).filter((each) => each.length > 0);
}

/** Checks every page, index and reference of a file that nobody writes, without holding up this process. */
export async function checkInThreads(
  { path, name, failed = (why) => new DatabaseUnavailable(why) }: Checked,
  { threads = 1, signal, onChecked }: CheckOptions,
): Promise<void> {
  let pieces: readonly Piece[];
  try {
    pieces = piecesOf(path);
  } catch (error) {
    const told = translate(name, error);
    throw failed(told instanceof Error ? told.message : String(told));
  }
  const rows = new Map(pieces.map((piece) => [piece.table, piece.rows]));
  const total = pieces.reduce((sum, piece) => sum + piece.rows, 0);
  let done = 0;
  onChecked?.(done, total);
  const onEach = (table: string): void => {
    done += rows.get(table) ?? 0;
    onChecked?.(done, total);
  };
  const work = sharedOut(pieces, threads).map((share) => {
    const tables = share.flatMap(({ table }) => table ?? []);
    const order = { kind: "check" as const, path, name, tables, whole: tables.length < share.length };
    return (each: AbortSignal) => inThread(order, { signal: each, failed, onChecked: onEach });
  });
  await allOrNone(signal, work);
}

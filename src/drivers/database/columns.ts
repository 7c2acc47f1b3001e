import type { Params, SqlValue } from "./parameters.ts";

/** The key of the type of rows. No value has it: types alone carry it from a list of columns to whoever reads with it. */
declare const row: unique symbol;

/** The text of a statement, with the type of the rows that it returns. `sql` makes it; at run time it is a string. */
export type Sql<Row> = string & { readonly length: number; readonly [row]?: Row };

/** Columns as a statement selects or returns them, each under the name of its field. */
export interface Columns<Row> {
  readonly list: string;
  readonly [row]?: Row;
}

/** The type of the rows that these columns are read as. */
export type RowOf<List> = List extends Columns<infer Row> ? Row : unknown;

type Part = string | number | Columns<unknown>;
/** All lists of a statement together make its rows. */
type Merged<Parts> = Parts extends readonly [infer First, ...infer Rest] ? RowOf<First> & Merged<Rest> : unknown;

/**
 * Makes the text of a statement. Lists of columns in it are written out, and the rows of the statement have the fields of them all: a list
 * therefore stands only where a statement selects or returns. Texts that never differ are made once, when a file is loaded.
 */
export const sql = <const Parts extends readonly Part[]>(
  texts: TemplateStringsArray,
  ...parts: Parts
): Sql<Merged<Parts>> =>
  String.raw({ raw: texts }, ...parts.map((part) => (typeof part === "object" ? part.list : part)));

/** The rows of several statements, in the order that `rest` says. */
export const unionAll = <Row>(texts: readonly Sql<Row>[], rest: string): Sql<Row> =>
  `${texts.join(" union all ")} ${rest}`;

/** Several lists as one. */
export const together = <const Lists extends readonly Columns<unknown>[]>(...lists: Lists): Columns<Merged<Lists>> => ({
  list: lists
    .map(({ list }) => list)
    .filter((list) => list !== "")
    .join(", "),
});

/** No column at all. */
export const noColumns: Columns<unknown> = { list: "" };

/** A column, by its name; and how it is read, where that is more than its value. `table` is the table's name in the statement. */
export type Column = string | { readonly column: string; readonly read: (table: string) => string };

/** An `insert` of whole rows. */
export interface Insert<Row, Written = never> {
  /** The table and its columns, as they follow `insert into`. */
  readonly into: string;
  /** Values in the same order, separated by commas. */
  readonly values: string;
  /** Of a row, the parameters that the values name, and no others. */
  readonly params: (row: { readonly [Field in Exclude<keyof Row, Written>]: Row[Field] }) => Params;
}

/** The columns of a table, by the fields of its rows. */
export interface Table<Row> extends Columns<Row> {
  readonly fields: readonly string[];
  readonly columnOf: (field: keyof Row & string) => string;
  /** The columns where the statement calls the table so. */
  as(alias: string): Table<Row>;
  pick<Field extends keyof Row & string>(...fields: readonly Field[]): Table<Pick<Row, Field>>;
  except<Field extends keyof Row & string>(...fields: readonly Field[]): Table<Omit<Row, Field>>;
  /** Each field is written as the parameter of its name, but those for which an expression is given. */
  insert<Written extends keyof Row & string = never>(
    expressions?: Readonly<Record<Written, string>>,
  ): Insert<Row, Written>;
}

type Fields = readonly (readonly [field: string, column: Column])[];

const nameOf = (column: Column): string => (typeof column === "string" ? column : column.column);

function listed(field: string, column: Column, name: string, alias: string | undefined): string {
  if (typeof column !== "string") return `${column.read(alias ?? name)} as "${field}"`;
  const read = alias === undefined ? column : `${alias}.${column}`;
  return column === field ? read : `${read} as "${field}"`;
}

function createTable<Row extends Readonly<Record<keyof Row, SqlValue>>>(
  name: string,
  fields: Fields,
  alias?: string,
): Table<Row> {
  const columns = new Map(fields.map(([field, column]) => [field, nameOf(column)]));
  const columnOf = (field: string): string => {
    const column = columns.get(field);
    if (column === undefined) throw new TypeError(`${name} has no field ${field}`);
    return column;
  };
  return {
    fields: [...columns.keys()],
    list: fields.map(([field, column]) => listed(field, column, name, alias)).join(", "),
    columnOf,
    as: (other) => createTable(name, fields, other),
    pick(...picked) {
      const names = new Set<string>(picked);
      for (const field of names) columnOf(field);
      return createTable(
        name,
        fields.filter(([field]) => names.has(field)),
        alias,
      );
    },
    except(...left) {
      const names = new Set<string>(left);
      return createTable(
        name,
        fields.filter(([field]) => !names.has(field)),
        alias,
      );
    },
    insert<Written extends keyof Row & string = never>(
      expressions?: Readonly<Record<Written, string>>,
    ): Insert<Row, Written> {
      const given: ReadonlyMap<string, string> = new Map(Object.entries<string>(expressions ?? {}));
      const written = fields.map(([field]) => field).filter((field) => !given.has(field));
      return {
        into: `${name} (${fields.map(([, column]) => nameOf(column)).join(", ")})`,
        values: fields.map(([field]) => given.get(field) ?? `$${field}`).join(", "),
        params(values: Readonly<Record<string, SqlValue>>) {
          const params: Record<string, SqlValue> = {};
          for (const field of written) {
            const value = values[field];
            if (value !== undefined) params[field] = value;
          }
          return params;
        },
      };
    },
  };
}

/** The columns of a table. The compiler asks for one for each field of its rows. */
export const tableOf = <Row extends Readonly<Record<keyof Row, SqlValue>>>(
  name: string,
  columns: Readonly<Record<keyof Row & string, Column>>,
): Table<Row> => createTable(name, Object.entries<Column>(columns));

/** What a statement reckons, by the names of the fields: counts, sums and conditions. */
export const computed = <Row>(expressions: Readonly<Record<keyof Row & string, string>>): Columns<Row> => ({
  list: Object.entries<string>(expressions)
    .map(([field, expression]) => `${expression} as "${field}"`)
    .join(", "),
});

import type { Params, SqlValue } from "./parameters.ts";

/** The key of the type of rows. No value has it: only types carry it from a list of columns to the statement's reader. */
declare const row: unique symbol;

/** The text of a statement, with the type of the rows that it returns. `sql` makes it; at run time it is a string. */
export type Sql<Row> = string & { readonly length: number; readonly [row]?: Row };

/** Columns as a statement selects or returns them, each under the name of its field. */
export interface Columns<Row> {
  readonly list: string;
  readonly [row]?: Row;
}

export type RowOf<List> = List extends Columns<infer Row> ? Row : unknown;

type Part = string | number | Columns<unknown>;
/** The rows of a statement: the fields of all its lists together. */
type Merged<Parts> = Parts extends readonly [infer First, ...infer Rest] ? RowOf<First> & Merged<Rest> : unknown;

/**
 * Makes the text of a statement. Lists of columns in it are written out, and the rows of the statement have the fields of all lists: a list
 * therefore stands only where a statement selects or returns. Texts that never differ are made once, when a file is loaded.
 */
export const sql = <const Parts extends readonly Part[]>(
  texts: TemplateStringsArray,
  ...parts: Parts
): Sql<Merged<Parts>> =>
  String.raw({ raw: texts }, ...parts.map((part) => (typeof part === "object" ? part.list : part)));

/** Joins statements by `union all`. `rest` follows them and says the order of the rows. */
export const unionAll = <Row>(texts: readonly Sql<Row>[], rest: string): Sql<Row> =>
  `${texts.join(" union all ")} ${rest}`;

/** Joins several lists into one. */
export const together = <const Lists extends readonly Columns<unknown>[]>(...lists: Lists): Columns<Merged<Lists>> => ({
  list: lists
    .map(({ list }) => list)
    .filter((list) => list !== "")
    .join(", "),
});

export const noColumns: Columns<unknown> = { list: "" };

/** A column by its name, with an expression where it is not read as its plain value. `table` is the table's name in the statement. */
export type Column = string | { readonly column: string; readonly read: (table: string) => string };

/** A column with the type of its values, which `column` gives it. */
type Typed<Value> = Column & { readonly [row]?: Value };
export const column = <Value extends SqlValue>(made: Column): Typed<Value> => made;
/** The rows of such columns. A name that `column` has given no type makes a field that takes no value. */
type Columned<Of> = {
  readonly [Field in keyof Of]: Of[Field] extends Typed<infer Value> ? (unknown extends Value ? never : Value) : never;
};

/** An `insert` of whole rows. */
export interface Insert<Row, Written = never> {
  /** The table and its columns, as they follow `insert into`. */
  readonly into: string;
  /** Values in the order of the columns, separated by commas. */
  readonly values: string;
  /** Returns the parameters that the values name, and no others, from a row. */
  readonly params: (row: { readonly [Field in Exclude<keyof Row, Written>]: Row[Field] }) => Params;
}

/** Columns of one table, by the fields of its rows. */
interface Selection<Row> extends Columns<Row> {
  readonly columnOf: (field: keyof Row & string) => string;
  /** Returns the columns for a statement that gives the table this alias. */
  as(alias: string): Selection<Row>;
  pick<Field extends keyof Row & string>(...fields: readonly Field[]): Selection<Pick<Row, Field>>;
  except<Field extends keyof Row & string>(...fields: readonly Field[]): Selection<Omit<Row, Field>>;
}

/** All columns of a table. Only a whole table makes inserts, so that no insert forgets a column. */
interface Table<Row> extends Selection<Row> {
  readonly fields: readonly string[];
  /** Makes an insert that writes each field as the parameter of its name, except where an expression is given. */
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

function select<Row>(name: string, fields: Fields, alias?: string): Selection<Row> {
  return {
    list: fields.map(([field, column]) => listed(field, column, name, alias)).join(", "),
    columnOf(wanted) {
      const found = fields.find(([field]) => field === wanted);
      if (found === undefined) throw new TypeError(`${name} has no field ${wanted}`);
      return nameOf(found[1]);
    },
    as: (other) => select(name, fields, other),
    pick(...picked) {
      const names = new Set<string>(picked);
      const rest = fields.filter(([field]) => names.has(field));
      return select(name, rest, alias);
    },
    except(...left) {
      const names = new Set<string>(left);
      const rest = fields.filter(([field]) => !names.has(field));
      return select(name, rest, alias);
    },
  };
}

/**
 * Makes the columns of a table. They give its rows their type; where another list of the fields has it, the compiler asks for a column for
 * each.
 */
export function tableOf<const Of extends Readonly<Record<string, Typed<SqlValue>>>>(
  name: string,
  columns: Of,
): Table<Columned<Of>>;
export function tableOf<Row extends Readonly<Record<keyof Row, SqlValue>>>(
  name: string,
  columns: Readonly<Record<keyof Row & string, Column>>,
): Table<Row>;
export function tableOf<Row extends Readonly<Record<keyof Row, SqlValue>>>(
  name: string,
  columns: Readonly<Record<keyof Row & string, Column>>,
): Table<Row> {
  const fields = Object.entries<Column>(columns);
  const names = fields.map(([field]) => field);
  const into = `${name} (${fields.map(([, column]) => nameOf(column)).join(", ")})`;

  function insert<Written extends keyof Row & string = never>(
    expressions?: Readonly<Record<Written, string>>,
  ): Insert<Row, Written> {
    const given: ReadonlyMap<string, string> = new Map(Object.entries<string>(expressions ?? {}));
    const named = names.filter((field) => !given.has(field));
    return {
      into,
      values: names.map((field) => given.get(field) ?? `$${field}`).join(", "),
      params(row: Readonly<Record<string, SqlValue>>) {
        const params: Record<string, SqlValue> = {};
        for (const field of named) {
          const value = row[field];
          // Without a value there is no parameter: the driver then refuses the statement.
          if (value !== undefined) params[field] = value;
        }
        return params;
      },
    };
  }

  return { ...select<Row>(name, fields), fields: names, insert };
}

/** Makes columns that a statement computes: counts, sums and conditions, by the names of the fields. */
export const computed = <Row>(expressions: Readonly<Record<keyof Row & string, string>>): Columns<Row> => ({
  list: Object.entries<string>(expressions)
    .map(([field, expression]) => `${expression} as "${field}"`)
    .join(", "),
});

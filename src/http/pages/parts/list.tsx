/** @jsxImportSource #html */
import type { Children } from "../jsx-runtime.ts";

interface TableProps {
  /** The id of the heading that names the table. */
  readonly labelledBy: string;
  readonly columns: readonly string[];
  /** The name of one more column, with what can be done to a row, for those who can't see it. */
  readonly actions?: string;
  readonly rows: readonly (readonly Children[])[];
  /** Replaces a table without rows. */
  readonly empty?: Children;
}

/** A table whose rows become cards on a phone, where it has more columns than fit. */
export const Table = ({ labelledBy, columns, actions, rows, empty }: TableProps) =>
  rows.length === 0 && empty !== undefined ? (
    <>{empty}</>
  ) : (
    <div class="table" tabindex={0} role="region" aria-labelledby={labelledBy}>
      <table class={columns.length + Number(actions !== undefined) > 2 ? "cards stacked" : undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            {actions !== undefined && (
              <th scope="col">
                <span class="unseen">{actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at} data-column={columns[at] ?? ""}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );

/** Stands in the place of an empty list, and says what the list will hold and how entries get there. */
export const Empty = ({ children }: { readonly children: Children }) => <p class="soft empty">{children}</p>;

interface Facet {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
  /** How many entries the list has; left out where counting would take too long. */
  readonly count?: number | undefined;
  /** Whether the list has more entries than `count`, because the counting stopped. */
  readonly isMore?: boolean;
}

interface FacetsProps {
  /** The property that the filters choose by, such as "State". */
  readonly label: string;
  readonly facets: readonly Facet[];
  /** Writes a number as the reader's language does. */
  readonly write: (count: number) => string;
}

/** Filters as links. Each link leads to its own list, and the current one is marked. */
export const Facets = ({ label, facets, write }: FacetsProps) => (
  <nav class="facets" aria-label={label}>
    {facets.map(({ label: name, href, isCurrent, count, isMore = false }) => (
      <a key={href} href={href} aria-current={isCurrent ? "true" : undefined}>
        {name}
        {count !== undefined && <span class="count"> {`${write(count)}${isMore ? "+" : ""}`}</span>}
      </a>
    ))}
  </nav>
);

interface PagerProps {
  readonly words: {
    readonly pagesOf: (values: { readonly label: string }) => string;
    readonly firstPage: string;
    readonly nextPage: string;
  };
  /** The name of the listed things, such as "People". */
  readonly label: string;
  /** Undefined on the first page. */
  readonly first: string | undefined;
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

/** Links through a list that is read by a cursor: forward, and back to its beginning. */
export const Pager = ({ words, label, first, next }: PagerProps) =>
  first === undefined && next === undefined ? null : (
    <nav class="pager" aria-label={words.pagesOf({ label })}>
      {first !== undefined && <a href={first}>{words.firstPage}</a>}
      {next !== undefined && (
        <a href={next} rel="next">
          {words.nextPage}
        </a>
      )}
    </nav>
  );

interface PairsProps {
  readonly class?: string;
  /** Pairs without a value are left out. */
  readonly pairs: readonly (readonly [label: string, value: Children, kind?: string | undefined])[];
}

/** Facts about one thing, each with its name. */
export const Pairs = ({ class: name, pairs }: PairsProps) => (
  <dl class={name}>
    {pairs.map(([label, value, kind]) =>
      value === null || value === false || value === "" ? null : (
        <div key={label} class={kind}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
);

/** Returns the path with a query of the values that are given. */
export function withQuery(path: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
  );
  const query = new URLSearchParams(given).toString();
  return query === "" ? path : `${path}?${query}`;
}

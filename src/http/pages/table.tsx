/** @jsxImportSource #html */
import type { Children } from "./jsx-runtime.ts";

interface TableProps {
  /** The id of the heading that names it. */
  readonly labelledBy: string;
  /** The last one may be empty: above what can be done with a row. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Children[])[];
}

/** A table whose rows become cards on a phone, where there are more columns than fit. */
export const Table = ({ labelledBy, columns, rows }: TableProps) => (
  <div class="table" tabindex={0} role="region" aria-labelledby={labelledBy}>
    <table class={columns.length > 2 ? "cards stacked" : undefined}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column === "" ? <span class="unseen">Actions</span> : column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, at) => (
              <td key={at} data-column={columns[at]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** @jsxImportSource #html */
import type { Children } from "../jsx-runtime.ts";

interface TableProps {
  /** The id of the heading that names the table. */
  readonly labelledBy: string;
  /** The last column may have an empty name, above the actions for a row. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Children[])[];
}

/** A table whose rows become cards on a phone, where it has more columns than fit. */
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

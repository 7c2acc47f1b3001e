/** @jsxImportSource #html */

interface PagerProps {
  /** The name of the listed things, such as "People". */
  readonly label: string;
  /** Undefined on the first page. */
  readonly first: string | undefined;
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

/** Links through a list that is read by a cursor: forward, and back to its beginning. */
export const Pager = ({ label, first, next }: PagerProps) =>
  first === undefined && next === undefined ? null : (
    <nav class="pager" aria-label={`Pages of ${label}`}>
      {first !== undefined && <a href={first}>First page</a>}
      {next !== undefined && (
        <a href={next} rel="next">
          Next page
        </a>
      )}
    </nav>
  );

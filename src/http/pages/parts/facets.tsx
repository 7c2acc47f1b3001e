/** @jsxImportSource #html */

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
}

/** Filters as links. Each link leads to its own list, and the current one is marked. */
export const Facets = ({ label, facets }: FacetsProps) => (
  <nav class="facets" aria-label={label}>
    {facets.map(({ label: name, href, isCurrent, count, isMore = false }) => (
      <a key={href} href={href} aria-current={isCurrent ? "true" : undefined}>
        {name}
        {count !== undefined && <span class="count"> {`${count.toLocaleString("en")}${isMore ? "+" : ""}`}</span>}
      </a>
    ))}
  </nav>
);

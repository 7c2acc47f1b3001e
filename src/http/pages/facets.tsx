/** @jsxImportSource #html */

interface Facet {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
  /** How many there are; left out where counting would take too long. */
  readonly count?: number | undefined;
  /** Whether there are more than that: the counting stopped. */
  readonly isMore?: boolean;
}

interface FacetsProps {
  /** What they choose between, such as "State". */
  readonly label: string;
  readonly facets: readonly Facet[];
}

/** Filters as links: each leads to a list of its own, and the one that is shown is marked. */
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

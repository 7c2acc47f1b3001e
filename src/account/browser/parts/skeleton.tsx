import { useWords } from "../context.ts";

/** Holds the place of data that is being fetched. It appears after 300 ms, so that a quick answer does not flicker. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="skeleton-lines" role="status">
    <span class="unseen">{useWords().loading}</span>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="skeleton-line" />
    ))}
  </div>
);

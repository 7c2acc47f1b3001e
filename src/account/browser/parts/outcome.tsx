/** What an act has done. The element is always there, so that a screen reader hears it change. */
export const Outcome = ({ text }: { readonly text: string | undefined }) => (
  <p class="outcome" role="status">
    {text}
  </p>
);

/** The result of an act. The element is always there, so that a screen reader reads every change. */
export const Outcome = ({ text }: { readonly text: string | undefined }) => (
  <p class="outcome" role="status">
    {text}
  </p>
);

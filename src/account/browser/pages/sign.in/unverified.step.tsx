import { useWords } from "../../context.ts";
import { Button } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import type { Step } from "./step.ts";

/** The password was right, and the address has to be verified first: the server has sent its mail again. */
export function UnverifiedStep({ onStep }: { readonly onStep: (next: Step) => void }) {
  const { title, lead, sent, back } = useWords().signIn.unverified;
  return (
    <Page kind="entry" title={title}>
      <p>{lead}</p>
      <p class="soft">{sent}</p>
      <Button onClick={() => onStep({ name: "credentials" })}>{back}</Button>
    </Page>
  );
}

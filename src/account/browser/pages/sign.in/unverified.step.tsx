import { useAccount } from "../../context.ts";
import { Button } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { lasting } from "../../../shared/lasting.ts";
import type { Step } from "./step.ts";

/** Follows a right password whose address has to be verified first: the server has sent its mail again. */
export function UnverifiedStep({ onStep }: { readonly onStep: (next: Step) => void }) {
  const { words, settings } = useAccount();
  const { title, lead, sent, back } = words.value.signIn.unverified;
  return (
    <Page kind="entry" title={title}>
      <p>{lead}</p>
      <p class="soft">{sent(lasting(settings.links.verificationMs, words.value))}</p>
      <Button onClick={() => onStep({ name: "credentials" })}>{back}</Button>
    </Page>
  );
}

import { useSignal } from "@preact/signals";
import { useAccount } from "../context.ts";
import { saveAs, useCopying } from "../acts/copying.ts";
import { Outcome } from "../parts/blocks.tsx";
import { Button, Buttons } from "../parts/form.tsx";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** The label of the button that goes on. */
  readonly done: string;
  readonly onDone: () => void;
}

/**
 * Shows new recovery codes below a heading. The reader has to keep them elsewhere: no later page shows them. A print has only the codes.
 */
export function RecoveryCodes({ codes, done, onDone }: RecoveryCodesProps) {
  const { words, session, settings } = useAccount();
  const { acts, factors } = words.value;
  const say = factors.section.codes;
  const { isPossible, outcome, copy } = useCopying();
  const saved = useSignal("");
  const head = say.head({ product: settings.product, email: session.user.value?.email ?? "" });
  const text = [head, say.each, "", ...codes, ""].join("\n");
  const download = (): void => {
    const name = "recovery-codes.txt";
    saveAs(name, text, "text/plain");
    saved.value = acts.exported({ name });
  };
  return (
    <div class="setup printed">
      <p class="on-screen">{say.lead}</p>
      <p class="on-paper">{head}</p>
      <p class="on-paper">{say.each}</p>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="buttons">
        {isPossible && <Button onClick={() => copy(codes.join("\n"), say.copied)}>{say.copy}</Button>}
        <Button onClick={download}>{acts.download}</Button>
        <Button onClick={() => print()}>{say.print}</Button>
      </div>
      <Outcome text={outcome.value || saved.value} />
      <Buttons kind="primary" onClick={onDone}>
        {done}
      </Buttons>
    </div>
  );
}

import { useCopying } from "../../../acts/copying.ts";
import { useChapter } from "../../../context.ts";
import { Outcome } from "../../../parts/blocks.tsx";
import { Button } from "../../../parts/form.tsx";

/** A text that has to be typed elsewhere, with a button that copies it. */
export function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  const say = useChapter("ways");
  const { isPossible, outcome, copy } = useCopying();
  return (
    <div class="setup">
      <p class="soft">{label}</p>
      <pre class="token">{text}</pre>
      <Outcome text={outcome.value} />
      {isPossible && (
        <div>
          <Button label={say.copyOf({ what: label })} onClick={() => copy(text, say.copied)}>
            {say.copy}
          </Button>
        </div>
      )}
    </div>
  );
}

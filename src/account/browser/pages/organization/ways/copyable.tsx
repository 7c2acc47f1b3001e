import { useCopying } from "../../../acts/copying.ts";
import { useChapter } from "../../../context.ts";
import { Outcome } from "../../../parts/blocks.tsx";
import { Button } from "../../../parts/form.tsx";

/** A text that has to be typed elsewhere, with a button that copies it. */
export function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  const say = useChapter("ways");
  const { isPossible, outcome, copy } = useCopying();
  return (
    <div class="copyable">
      <small class="soft">{label}</small>
      <div class="secret">
        <pre class="token">{text}</pre>
        {isPossible && (
          <Button label={say.copyOf({ what: label })} onClick={() => copy(text, say.copied)}>
            {say.copy}
          </Button>
        )}
      </div>
      <Outcome text={outcome.value} />
    </div>
  );
}

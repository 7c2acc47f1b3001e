import { useActing } from "../../../acts/sending.ts";
import { useAccount } from "../../../context.ts";
import { Button, Refusal } from "../../../parts/form.tsx";
import { Question, useAsked } from "../section.tsx";
import { Part, type OnChange } from "./part.tsx";

/** The page warns that the codes run out at this number and below. */
const few = 3;

interface CodesPartProps {
  readonly left: number;
  readonly onChange: OnChange;
}

/** Shows how many recovery codes are left, and replaces them. */
export function CodesPart({ left, onChange }: CodesPartProps) {
  const { words, client } = useAccount();
  const { codes: say, keep } = words.value.factors.section;
  const { isAsked, ask, close } = useAsked();
  const { act, ...progress } = useActing();
  const made = (answer: { readonly recovery_codes: readonly string[] }): void => onChange("", answer.recovery_codes);
  return (
    <Part
      id="factors-codes"
      title={say.title}
      tag={<span class={`tag ${left > few ? "" : "warning"}`}>{say.left(left)}</span>}
      about={left === 0 ? `${say.about} ${say.none}` : left > few ? say.about : `${say.about} ${say.few}`}
    >
      <Refusal progress={progress} />
      <Button progress={progress} onClick={left > 0 ? ask : () => void act(client.renewRecoveryCodes, made)}>
        {left === 0 ? say.make : say.renew}
      </Button>
      {isAsked && (
        <Question
          title={say.renewTitle}
          submit={say.renew}
          cancel={keep}
          ask={client.renewRecoveryCodes}
          onDone={made}
          onClose={close}
        >
          <p>{say.renewMeans}</p>
        </Question>
      )}
    </Part>
  );
}

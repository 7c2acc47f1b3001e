import { useSignal } from "@preact/signals";
import { useActing } from "../../../acts/acting.ts";
import { useAccount } from "../../../context.ts";
import { Button } from "../../../parts/button.tsx";
import { Refusal } from "../../../parts/form/refusal.tsx";
import { useWaiting } from "../../../acts/waiting.ts";
import { Part, type OnChange } from "./part.tsx";
import { Question } from "./question.tsx";

/** The page warns that the codes run out at this number and below. */
const few = 3;

interface CodesPartProps {
  readonly left: number;
  readonly onChange: OnChange;
}

/** Shows how many recovery codes are left, and replaces them. */
export function CodesPart({ left, onChange }: CodesPartProps) {
  const { words, client } = useAccount();
  const { codes: say } = words.value.factors.section;
  const isAsked = useSignal(false);
  const { isBusy, refusal, act } = useActing();
  const waiting = useWaiting(refusal.value);
  const made = (codes: readonly string[]): void => onChange("", codes);
  const begin = (): void => {
    if (left > 0) isAsked.value = true;
    else void act(client.renewRecoveryCodes, (answer) => made(answer.recovery_codes));
  };
  return (
    <Part
      id="factors-codes"
      title={say.title}
      tag={<span class={`tag ${left > few ? "" : "warning"}`}>{say.left(left)}</span>}
      about={left === 0 ? `${say.about} ${say.none}` : left > few ? say.about : `${say.about} ${say.few}`}
    >
      <Refusal failure={refusal.value} waiting={waiting} />
      <Button isBusy={isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={begin}>
        {left === 0 ? say.make : say.renew}
      </Button>
      {isAsked.value && (
        <Question
          title={say.renewTitle}
          submit={say.renew}
          ask={client.renewRecoveryCodes}
          onDone={(answer) => made(answer.recovery_codes)}
          onClose={() => void (isAsked.value = false)}
        >
          <p>{say.renewMeans}</p>
        </Question>
      )}
    </Part>
  );
}

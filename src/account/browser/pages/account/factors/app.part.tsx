import { useSignal } from "@preact/signals";
import type { TotpSetup } from "../../../../../client/index.ts";
import { useActing } from "../../../acts/acting.ts";
import { useAccount } from "../../../context.ts";
import { TotpSetupForm } from "../../../factors/totp.setup.tsx";
import { Arriving } from "../../../parts/arriving.tsx";
import { Button } from "../../../parts/button.tsx";
import { Refusal } from "../../../parts/form/refusal.tsx";
import { useWaiting } from "../../../acts/waiting.ts";
import { Part, type OnChange } from "./part.tsx";
import { Question } from "./question.tsx";

interface AppPartProps {
  readonly isSetUp: boolean;
  readonly isOnly: boolean;
  readonly onChange: OnChange;
}

/** Sets up or removes the authenticator app. */
export function AppPart({ isSetUp, isOnly, onChange }: AppPartProps) {
  const { words, client } = useAccount();
  const { app, last, isOn } = words.value.factors.section;
  const setup = useSignal<TotpSetup | undefined>(undefined);
  const isAsked = useSignal(false);
  const { isBusy, refusal, act } = useActing();
  const waiting = useWaiting(refusal.value);
  const begin = (): void => void act(client.setUpTotp, (answer) => void (setup.value = answer));
  const isWaiting = (waiting?.secondsLeft ?? 0) > 0;
  return (
    <Part id="factors-app" title={app.title} tag={isSetUp && <span class="tag good">{isOn}</span>} about={app.about}>
      <Refusal failure={refusal.value} waiting={waiting} />
      {isSetUp ? (
        <Button label={app.removeOf} onClick={() => void (isAsked.value = true)}>
          {app.remove}
        </Button>
      ) : setup.value === undefined ? (
        <Button label={app.setUpOf} isBusy={isBusy.value} isDisabled={isWaiting} onClick={begin}>
          {app.setUp}
        </Button>
      ) : (
        <Arriving>
          <TotpSetupForm
            setup={setup.value}
            onDone={(codes) => onChange(app.done, codes)}
            onCancel={() => void (setup.value = undefined)}
          />
        </Arriving>
      )}
      {isAsked.value && (
        <Question
          title={app.removeTitle}
          submit={app.remove}
          ask={client.removeTotp}
          onDone={() => onChange(app.removed)}
          onClose={() => void (isAsked.value = false)}
        >
          {isOnly && <p>{last}</p>}
        </Question>
      )}
    </Part>
  );
}

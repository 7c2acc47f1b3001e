import { useSignal } from "@preact/signals";
import type { TotpSetup } from "../../../../../client/index.ts";
import { useActing } from "../../../acts/sending.ts";
import { useAccount } from "../../../context.ts";
import { TotpSetupForm } from "../../../factors/totp.setup.tsx";
import { Arriving } from "../../../parts/blocks.tsx";
import { Button, Refusal } from "../../../parts/form.tsx";
import { Question, useAsked } from "../section.tsx";
import { Part, type OnChange } from "./part.tsx";

interface AppPartProps {
  readonly isSetUp: boolean;
  readonly isOnly: boolean;
  readonly onChange: OnChange;
}

/** Sets up or removes the authenticator app. */
export function AppPart({ isSetUp, isOnly, onChange }: AppPartProps) {
  const { words, client } = useAccount();
  const { app, last, isOn, keep } = words.value.factors.section;
  const setup = useSignal<TotpSetup | undefined>(undefined);
  const { isAsked, ask, close } = useAsked();
  const { act, ...progress } = useActing();
  const begin = (): void => void act(client.setUpTotp, (answer) => void (setup.value = answer));
  return (
    <Part id="factors-app" title={app.title} tag={isSetUp && <span class="tag good">{isOn}</span>} about={app.about}>
      <Refusal progress={progress} />
      {isSetUp ? (
        <Button label={app.removeOf} onClick={ask}>
          {app.remove}
        </Button>
      ) : setup.value === undefined ? (
        <Button label={app.setUpOf} progress={progress} onClick={begin}>
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
      {isAsked && (
        <Question
          title={app.removeTitle}
          submit={app.remove}
          cancel={keep}
          ask={client.removeTotp}
          onDone={() => onChange(app.removed)}
          onClose={close}
        >
          {isOnly && <p>{last}</p>}
        </Question>
      )}
    </Part>
  );
}

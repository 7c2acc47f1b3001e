import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { TotpSetup } from "../../../../../client/index.ts";
import { useActing } from "../../../acts/sending.ts";
import { useAccount } from "../../../context.ts";
import { TotpSetupForm } from "../../../factors/totp.setup.tsx";
import { Arriving } from "../../../parts/blocks.tsx";
import { Button, Refusal } from "../../../parts/form.tsx";
import { useOpening } from "../../../parts/opening.tsx";
import { Question } from "../section.tsx";

/** Called with the result of an act in words, and with the recovery codes that it has made. */
export type OnChange = (said: string, codes?: readonly string[]) => void;

interface PartProps {
  readonly id: string;
  readonly title: string;
  /** A word about the state, beside the title. */
  readonly tag?: ComponentChildren;
  readonly about: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a section, with a heading of its own. */
export const Part = ({ id, title, tag, about, children }: PartProps) => (
  <div class="part" role="group" aria-labelledby={id}>
    <div class="about">
      <h3 id={id} tabIndex={-1}>
        {title} {tag}
      </h3>
      <p class="soft">{about}</p>
    </div>
    {children}
  </div>
);

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
  const asked = useOpening();
  const { act, ...progress } = useActing();
  const begin = (): void => void act(client.setUpTotp, (answer) => void (setup.value = answer));
  return (
    <Part id="factors-app" title={app.title} tag={isSetUp && <span class="tag good">{isOn}</span>} about={app.about}>
      {isSetUp ? (
        <Button label={app.removeOf} onClick={asked.open}>
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
      <Refusal progress={progress} />
      {asked.isOpen.value && (
        <Question
          title={app.removeTitle}
          submit={app.remove}
          cancel={words.value.acts.keep}
          ask={client.removeTotp}
          onDone={() => onChange(app.removed)}
          onClose={asked.close}
        >
          {isOnly && <p>{last}</p>}
        </Question>
      )}
    </Part>
  );
}

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
  const asked = useOpening();
  const { act, ...progress } = useActing();
  const made = (answer: { readonly recovery_codes: readonly string[] }): void => onChange("", answer.recovery_codes);
  return (
    <Part
      id="factors-codes"
      title={say.title}
      tag={
        <span class={`tag ${left > few ? "" : "warning"}`}>
          {left === 0 ? say.leftNone : say.left({ count: left })}
        </span>
      }
      about={left === 0 ? `${say.about} ${say.none}` : left > few ? say.about : `${say.about} ${say.few}`}
    >
      <Button progress={progress} onClick={left > 0 ? asked.open : () => void act(client.renewRecoveryCodes, made)}>
        {left === 0 ? say.make : say.renew}
      </Button>
      <Refusal progress={progress} />
      {asked.isOpen.value && (
        <Question
          title={say.renewTitle}
          submit={say.renew}
          cancel={words.value.acts.cancel}
          ask={client.renewRecoveryCodes}
          onDone={made}
          onClose={asked.close}
        >
          <p>{say.renewMeans}</p>
        </Question>
      )}
    </Part>
  );
}

import { useSignal } from "@preact/signals";
import type { Mfa } from "../../../../../client/index.ts";
import { useAccount } from "../../../context.ts";
import { RecoveryCodes } from "../../../factors/recovery.codes.tsx";
import type { Holdings } from "../../../acts/holdings.ts";
import { Arriving, Card, Outcome } from "../../../parts/blocks.tsx";
import { Awaited, type SectionProps } from "../section.tsx";
import { AppPart, CodesPart } from "./parts.tsx";
import { PasskeysPart } from "./passkeys.part.tsx";

/** The second factors: passkeys, an authenticator app, and codes for the loss of both. */
export function FactorsSection({ id, title, holdings }: SectionProps) {
  const { settings, words } = useAccount();
  const say = words.value.factors.section;
  const mfa = holdings.mfa.value.value;
  const isOn = mfa !== undefined && (mfa.totp || mfa.passkeys.length > 0);
  return (
    <Card id={id} title={title} state={mfa && (isOn ? say.on : say.off)}>
      {settings.mfaRequired && <p class="soft">{say.required}</p>}
      {mfa === undefined ? <Awaited resource={holdings.mfa} /> : <Parts mfa={mfa} holdings={holdings} />}
    </Card>
  );
}

interface PartsProps {
  readonly mfa: Mfa;
  readonly holdings: Pick<Holdings, "mfa" | "sessions">;
}

function Parts({ mfa, holdings }: PartsProps) {
  const { codes: say } = useAccount().words.value.factors.section;
  /** New recovery codes while they are shown. */
  const codes = useSignal<readonly string[] | undefined>(undefined);
  const outcome = useSignal("");
  const changed = (said: string, made?: readonly string[]): void => {
    outcome.value = said;
    if (made !== undefined) codes.value = made;
    void holdings.mfa.load();
    // Adding a factor raises this session: from then on the password can prove it.
    void holdings.sessions.load();
  };
  const isOn = mfa.totp || mfa.passkeys.length > 0;
  const isOnly = mfa.passkeys.length + Number(mfa.totp) === 1;
  if (codes.value !== undefined)
    return (
      <>
        <Outcome text={outcome.value} />
        <Arriving>
          <h3 tabIndex={-1}>{say.save}</h3>
          <RecoveryCodes codes={codes.value} done={say.done} onDone={() => void (codes.value = undefined)} />
        </Arriving>
      </>
    );
  return (
    <>
      <Outcome text={outcome.value} />
      <PasskeysPart passkeys={mfa.passkeys} isOnly={isOnly} onChange={changed} />
      <AppPart isSetUp={mfa.totp} isOnly={isOnly} onChange={changed} />
      {isOn && <CodesPart left={mfa.recovery_codes_left} onChange={changed} />}
    </>
  );
}

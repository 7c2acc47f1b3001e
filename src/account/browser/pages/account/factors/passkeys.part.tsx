import { useSignal } from "@preact/signals";
import type { Passkey } from "../../../../../client/index.ts";
import { canUsePasskeys } from "../../../../../client/passkeys.ts";
import { useAccount } from "../../../context.ts";
import { useAddingPasskey } from "../../../factors/adding.ts";
import { usePasskeySupport } from "../../../factors/support.ts";
import { Button } from "../../../parts/button.tsx";
import { PasskeyMark } from "../../../parts/marks/passkey.mark.tsx";
import { Refusal } from "../../../parts/form/refusal.tsx";
import { useWaiting } from "../../../acts/waiting.ts";
import { Part, type OnChange } from "./part.tsx";
import { PasskeyRow } from "./passkey.row.tsx";

interface PasskeysPartProps {
  readonly passkeys: readonly Passkey[];
  /** Whether the account has only one second factor. */
  readonly isOnly: boolean;
  readonly onChange: OnChange;
}

/** Lists the passkeys and adds one. The page asks for the name of a new passkey afterwards, and keeps the passkey even without one. */
export function PasskeysPart({ passkeys, isOnly, onChange }: PasskeysPartProps) {
  const { words, settings } = useAccount();
  const { passkeys: say } = words.value.factors.section;
  const added = useSignal<string | undefined>(undefined);
  const { isBusy, refusal, add } = useAddingPasskey((passkey) => {
    added.value = passkey.id;
    onChange(say.added(passkey.name));
  });
  const waiting = useWaiting(refusal.value);
  return (
    <Part id="factors-passkeys" title={say.title} about={say.about}>
      {passkeys.length > 0 && (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isOnly={isOnly}
              isNew={passkey.id === added.value}
              onChange={onChange}
            />
          ))}
        </ul>
      )}
      <Refusal failure={refusal.value} waiting={waiting} />
      {usePasskeySupport() ? (
        <Button isBusy={isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={add}>
          <PasskeyMark />
          {say.add}
        </Button>
      ) : (
        <p class="soft">{canUsePasskeys() ? say.openThere(settings.passkeyDomain) : say.unsupported}</p>
      )}
    </Part>
  );
}

import { Button } from "../../parts/button.tsx";
import { MailMark } from "../../parts/marks/mail.mark.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PasskeyMark } from "../../parts/marks/passkey.mark.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { useAccount } from "../../context.ts";
import { useWaiting } from "../../acts/waiting.ts";
import type { PasskeySignIn } from "./passkey.sign.in.ts";
import { ProviderLinks } from "./providers.tsx";

interface OtherWaysProps {
  readonly passkey: PasskeySignIn;
  readonly onMail: () => void;
}

/** The ways to sign in without a password, below a line. */
export function OtherWays({ passkey, onMail }: OtherWaysProps) {
  const { settings, words } = useAccount();
  const { factors, signIn } = words.value;
  const hasOthers = passkey.isPossible || settings.mailSignIn !== undefined || settings.providers.length > 0;
  if (!hasOthers) return null;
  return (
    <>
      <p class="or soft">{signIn.or}</p>
      <PasskeyRefusal passkey={passkey} />
      <div class="stack">
        {passkey.isPossible && (
          <Button kind="provider" isBusy={passkey.isBusy.value} onClick={passkey.ask}>
            <PasskeyMark />
            {factors.passkey.signIn}
          </Button>
        )}
        {settings.mailSignIn !== undefined && (
          <Button kind="provider" onClick={onMail}>
            <MailMark />
            {factors.byMail.offer}
          </Button>
        )}
        <ProviderLinks />
      </div>
    </>
  );
}

function PasskeyRefusal({ passkey }: Pick<OtherWaysProps, "passkey">) {
  const { words } = useAccount();
  const refusal = passkey.refusal.value;
  const waiting = useWaiting(refusal);
  return refusal?.code === "invalid_code" ? (
    <Notice kind="danger">{words.value.factors.passkey.unknown}</Notice>
  ) : (
    <Refusal failure={refusal} waiting={waiting} />
  );
}

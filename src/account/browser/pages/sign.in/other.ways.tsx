import { useAccount } from "../../context.ts";
import { PasskeyRefusal } from "../../factors/passkeys.tsx";
import { Button } from "../../parts/form.tsx";
import { MailMark, PasskeyMark } from "../../parts/marks.tsx";
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
      <PasskeyRefusal progress={passkey} />
      <div class="stack">
        {passkey.isPossible && (
          <Button kind="provider" progress={{ isBusy: passkey.isBusy }} onClick={passkey.ask}>
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

import type { JSX } from "preact";
import { useAccount } from "../../context.ts";
import { Button } from "../../parts/form.tsx";
import { MailMark, PasskeyMark } from "../../parts/marks.tsx";
import type { PasskeySignIn } from "./passkey.sign.in.ts";
import { ProviderLink } from "./providers.tsx";

interface OtherWaysProps {
  readonly ways: readonly string[];
  /** The way that this browser used last. */
  readonly last: string | undefined;
  readonly passkey: PasskeySignIn;
  readonly onMail: () => void;
}

/** Ways to sign in without a password, those that this browser can go. */
export function OtherWays({ ways, last, passkey, onMail }: OtherWaysProps) {
  const { settings, words } = useAccount();
  const { factors, signIn } = words.value;
  const shown = ways.filter((way) => way !== "passkey" || passkey.isPossible);
  if (shown.length === 0) return null;
  return <div class="stack">{shown.map(buttonOf)}</div>;

  function buttonOf(way: string): JSX.Element | undefined {
    const mark = way === last && (
      <>
        {" "}
        <span class="tag last">{signIn.last}</span>
      </>
    );
    if (way === "passkey")
      return (
        <Button key={way} kind="provider" progress={{ isBusy: passkey.isBusy }} onClick={passkey.ask}>
          <PasskeyMark />
          {factors.passkey.signIn}
          {mark}
        </Button>
      );
    if (way === "email")
      return (
        <Button key={way} kind="provider" onClick={onMail}>
          <MailMark />
          {factors.byMail.offer}
          {mark}
        </Button>
      );
    const provider = settings.providers.find(({ name }) => way === `provider:${name}`);
    return provider && <ProviderLink key={way} provider={provider} mark={mark} />;
  }
}

import { useAccount } from "../context.ts";
import { Button } from "../parts/button.tsx";
import { BrokenLink, DeadLink } from "../parts/dead.link.tsx";
import { Page } from "../parts/page.tsx";
import { Refusal } from "../parts/form/refusal.tsx";
import { useSending } from "../acts/sending.ts";
import { useSignal } from "@preact/signals";
import { useWaiting } from "../acts/waiting.ts";
import { useEndSignIn } from "./sign.in/ending.ts";

/** Signs in by the link of a mail. The sign-in takes a click, since programs also open the links of mails. */
export function EmailLoginPage() {
  const { words, router } = useAccount();
  const isDead = useSignal(false);
  const { factors, link } = words.value;
  const ticket = router.place.value.ticket;
  const way = { href: router.onward("/login"), label: link.signIn };
  if (ticket === undefined) return <BrokenLink way={way} />;
  if (isDead.value) return <DeadLink reason={factors.byMail.link.dead} way={way} />;
  return <Asking token={ticket.token} onDead={() => void (isDead.value = true)} />;
}

interface AskingProps {
  readonly token: string;
  readonly onDead: () => void;
}

function Asking({ token, onDead }: AskingProps) {
  const { words, client } = useAccount();
  const { link } = words.value.factors.byMail;
  const end = useEndSignIn();
  const { isBusy, refusal, send } = useSending(({ code }) => {
    const isDead = code === "invalid_code" || code === "invalid_payload";
    if (isDead) onDead();
    return isDead || code === "mfa_required";
  });
  const waiting = useWaiting(refusal.value);
  const redeem = (): void =>
    void send(
      async () => end(await client.confirmEmailLogin({ token })),
      () => {},
    );
  return (
    <Page kind="entry" title={link.title}>
      <p>{link.lead}</p>
      <Refusal failure={refusal.value} waiting={waiting} />
      <Button
        kind="primary"
        isFirst
        isBusy={isBusy.value}
        isDisabled={(waiting?.secondsLeft ?? 0) > 0}
        onClick={redeem}
      >
        {link.submit}
      </Button>
    </Page>
  );
}

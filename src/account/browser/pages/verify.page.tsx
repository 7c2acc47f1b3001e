import { useSignal } from "@preact/signals";
import { useAccount } from "../context.ts";
import { Button } from "../parts/button.tsx";
import { BrokenLink, DeadLink } from "../parts/dead.link.tsx";
import { Page } from "../parts/page.tsx";
import { Refusal } from "../parts/form/refusal.tsx";
import { useRedeeming } from "../acts/redeeming.ts";
import type { Ticket } from "../router.ts";
import { useWaiting } from "../acts/waiting.ts";

type Outcome = { readonly name: "verified"; readonly email: string } | { readonly name: "rejected" | "used" | "taken" };

/** Confirms by the link of a mail that the address is the reader's, or says that somebody else gave it. */
export function VerifyPage() {
  const { words, router } = useAccount();
  const outcome = useSignal<Outcome | undefined>(undefined);
  const { link, verify } = words.value;
  const ticket = router.place.value.ticket;
  const signIn = { href: router.href("/login"), label: link.signIn };
  const ended = outcome.value;
  if (ended === undefined)
    return ticket === undefined ? (
      <BrokenLink way={signIn} />
    ) : (
      <Asking ticket={ticket} onEnd={(end) => void (outcome.value = end)} />
    );
  switch (ended.name) {
    case "used":
      return <DeadLink reason={link.verify} way={signIn} />;
    case "taken":
      return <DeadLink reason={link.taken} way={signIn} />;
    case "rejected":
      return (
        <Page kind="entry" title={verify.rejected.title}>
          <p>{verify.rejected.lead}</p>
        </Page>
      );
    case "verified":
      return (
        <Page kind="entry" title={verify.done.title}>
          <p>{verify.done.lead(ended.email)}</p>
          {/* A new load of the page asks the server whether this browser is signed in. */}
          <Button kind="primary" onClick={() => location.assign(router.href("/account"))}>
            {verify.done.goOn}
          </Button>
        </Page>
      );
  }
}

interface AskingProps {
  readonly ticket: Ticket;
  readonly onEnd: (end: Outcome) => void;
}

function Asking({ ticket: { token, isReject }, onEnd }: AskingProps) {
  const { words, client } = useAccount();
  const { verify, titles } = words.value;
  const { isBusy, refusal, redeem } = useRedeeming((why) => onEnd({ name: why }));
  const waiting = useWaiting(refusal.value);
  const rejecting = useSignal(isReject);
  const confirm = (): void =>
    void redeem(
      () => client.confirmEmailVerification({ token }),
      ({ user }) => onEnd({ name: "verified", email: user.email }),
    );
  const reject = (): void =>
    void redeem(
      () => client.rejectEmailVerification({ token }),
      () => onEnd({ name: "rejected" }),
    );
  const isWaiting = (waiting?.secondsLeft ?? 0) > 0;
  const busy = { isBusy: isBusy.value, isDisabled: isWaiting };

  return rejecting.value ? (
    <Page key="reject" kind="entry" title={verify.rejectTitle}>
      <p>{verify.rejectLead}</p>
      <Refusal failure={refusal.value} waiting={waiting} />
      <div class="stack">
        <Button kind="danger" {...busy} onClick={reject}>
          {verify.rejectSubmit}
        </Button>
        <Button onClick={() => void (rejecting.value = false)}>{verify.itWasMe}</Button>
      </div>
    </Page>
  ) : (
    <Page key="confirm" kind="entry" title={titles["/verify-email"]}>
      <p>{verify.lead}</p>
      <Refusal failure={refusal.value} waiting={waiting} />
      <div class="stack">
        <Button kind="primary" {...busy} onClick={confirm}>
          {verify.submit}
        </Button>
        <Button onClick={() => void (rejecting.value = true)}>{verify.reject}</Button>
      </div>
    </Page>
  );
}

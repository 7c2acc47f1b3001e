import { useSignal } from "@preact/signals";
import { useAccount } from "../context.ts";
import { Button } from "../parts/button.tsx";
import { BrokenLink, DeadLink } from "../parts/dead.link.tsx";
import { Page } from "../parts/page.tsx";
import { Refusal } from "../parts/form/refusal.tsx";
import { useRedeeming } from "../acts/redeeming.ts";
import { useWaiting } from "../acts/waiting.ts";

/** Restores an old address by the link of the mail that it got when it was replaced. */
export function UndoPage() {
  const { words, client, router } = useAccount();
  const { link, titles, undo } = words.value;
  const outcome = useSignal<"done" | "used" | "taken" | undefined>(undefined);
  const { isBusy, refusal, redeem } = useRedeeming((why) => void (outcome.value = why));
  const waiting = useWaiting(refusal.value);
  const ticket = router.place.value.ticket;
  const reset = { href: router.href("/forgot-password"), label: link.resetPassword };

  if (outcome.value === "done")
    return (
      <Page key="done" kind="entry" title={undo.done.title}>
        <p>{undo.done.lead}</p>
      </Page>
    );
  if (outcome.value === "taken") return <DeadLink reason={link.taken} way={reset} />;
  if (outcome.value === "used") return <DeadLink reason={link.undo} way={reset} />;
  if (ticket === undefined) return <BrokenLink way={reset} />;
  const send = (): void =>
    void redeem(
      () => client.undoEmailChange({ token: ticket.token }),
      () => void (outcome.value = "done"),
    );
  return (
    <Page key="ask" kind="entry" title={titles["/undo-email-change"]}>
      <p>{undo.lead}</p>
      <Refusal failure={refusal.value} waiting={waiting} />
      <Button kind="primary" isBusy={isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={send}>
        {undo.submit}
      </Button>
    </Page>
  );
}

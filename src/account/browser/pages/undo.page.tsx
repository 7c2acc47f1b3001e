import { useSignal } from "@preact/signals";
import { useAccount, useChapter } from "../context.ts";
import { BrokenLink, LeadOn, Page } from "../parts/page.tsx";
import { LinkPage, Looking, useLook, useRedeeming } from "./link.page.tsx";

/** Restores an old address by the link of the mail that it got when it was replaced. */
export function UndoPage() {
  const { words, client, router } = useAccount();
  const { link, titles } = words.value;
  const { undo } = useChapter("links");
  const outcome = useSignal<"done" | "used" | "taken" | undefined>(undefined);
  const { send, ...progress } = useRedeeming((why) => void (outcome.value = why));
  const ticket = router.place.value.ticket;
  const title = titles.undoEmailChange;
  const look = useLook(ticket, (token) => client.inspectEmailChange({ token }));
  const reset = { href: router.href("/forgot-password"), label: link.resetPassword };

  if (outcome.value === "done")
    return (
      <Page title={undo.done.title}>
        <p>{undo.done.lead}</p>
      </Page>
    );
  if (outcome.value === "taken") return <LeadOn reason={link.taken} way={reset} />;
  if (outcome.value === "used" || look === "dead") return <LeadOn reason={link.undo} way={reset} />;
  if (ticket === undefined) return <BrokenLink way={reset} />;
  if (look === "looking") return <Looking title={title} />;
  const redeem = (): void =>
    void send(
      () => client.undoEmailChange({ token: ticket.token }),
      () => void (outcome.value = "done"),
    );
  const { lead, submit } = undo;
  return <LinkPage key="good" {...{ title, lead, submit, progress }} onSubmit={redeem} />;
}

import { useAccount } from "../../context.ts";
import { keptToken } from "../../acts/kept.token.ts";
import { Button } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { useSending } from "../../acts/sending.ts";
import { useWaiting } from "../../acts/waiting.ts";
import { endsForm, type InvitationProps } from "./endings.ts";

/** Accepts the invitation for the signed-in account, which has the invited address. */
export function Joining({ token, invitation, onRefused }: InvitationProps) {
  const { words, client, router, session, settings } = useAccount();
  const { invitation: says } = words.value;
  const { isBusy, refusal, send } = useSending((failure) => {
    if (endsForm(failure)) onRefused(failure);
    return endsForm(failure);
  });
  const waiting = useWaiting(refusal.value);
  const accept = (): void =>
    void send(
      () => client.acceptInvitation({ token }),
      ({ user }) => {
        keptToken.drop();
        session.know(user);
        router.replace("/account");
      },
    );
  const by = invitation.invited_by;
  return (
    <Page kind="entry" title={says.title(settings.product)}>
      <div>
        <p>{by === null ? says.ownLead : says.ownLeadBy(by)}</p>
        <p class="soft">{says.own(invitation.email)}</p>
      </div>
      <Refusal failure={refusal.value} waiting={waiting} />
      <Button kind="primary" isBusy={isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={accept}>
        {says.accept}
      </Button>
    </Page>
  );
}

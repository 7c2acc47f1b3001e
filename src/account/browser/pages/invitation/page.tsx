import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure, Invitation } from "../../../../client/index.ts";
import { troubleOf } from "../../acts/connection.ts";
import { useAccount } from "../../context.ts";
import { keptToken } from "../../acts/kept.token.ts";
import { Button } from "../../parts/button.tsx";
import { BrokenLink, DeadLink } from "../../parts/dead.link.tsx";
import { Page } from "../../parts/page.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useWaiting } from "../../acts/waiting.ts";
import { AcceptForm } from "./accept.form.tsx";
import { endingOf, type Ending, type InvitationProps } from "./endings.ts";
import { Joining } from "./joining.tsx";
import { SignInFirst } from "./sign.in.first.tsx";

/** Accepts an invitation by the link of its mail. Nothing changes before a click. */
export function InvitationPage() {
  const { words, router, client, connection } = useAccount();
  const token = router.place.value.ticket?.token ?? keptToken.read();
  const shown = useSignal<Invitation | undefined>(undefined);
  const refusal = useSignal<Failure | undefined>(undefined);
  const waiting = useWaiting(refusal.value);
  const signIn = { href: router.href("/login"), label: words.value.link.signIn };

  async function load(): Promise<void> {
    if (token === undefined) return;
    refusal.value = undefined;
    const result = connection.heard(await client.showInvitation({ token }));
    if (result.ok) shown.value = result.invitation;
    else refusal.value = result;
  }
  useEffect(() => void load(), []);

  if (token === undefined) return <BrokenLink way={signIn} />;
  const failure = refusal.value;
  const ending = failure && endingOf(failure);
  if (ending !== undefined) return <Over ending={ending} way={signIn} />;
  const invitation = shown.value;
  if (invitation === undefined)
    return (
      <Page
        key={failure === undefined ? "loading" : "failed"}
        kind="entry"
        title={words.value.titles["/accept-invitation"]}
      >
        {failure === undefined ? (
          <Skeleton />
        ) : (
          <>
            {troubleOf(failure) === undefined && <Refusal failure={failure} waiting={waiting} />}
            <Button isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={() => void load()}>
              {words.value.trouble.again}
            </Button>
          </>
        )}
      </Page>
    );
  const props: InvitationProps = {
    token,
    invitation,
    onRefused(refused) {
      if (refused.code === "invitation_sign_in_required") shown.value = { ...invitation, account: "other" };
      else refusal.value = refused;
    },
  };
  switch (invitation.account) {
    case "none":
      return <AcceptForm key="none" {...props} />;
    case "own":
      return <Joining key="own" {...props} />;
    case "other":
      return <SignInFirst key="other" {...props} />;
  }
}

function Over({ ending, way }: { readonly ending: Ending; readonly way: { href: string; label: string } }) {
  const { invitation } = useAccount().words.value;
  useEffect(() => keptToken.drop(), []);
  return <DeadLink title={invitation.over[ending].title} reason={invitation.over[ending].lead} way={way} />;
}

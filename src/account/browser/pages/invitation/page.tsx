import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure, Invitation } from "../../../../client/index.ts";
import { troubleOf } from "../../acts/connection.ts";
import { useSending, useWaiting } from "../../acts/sending.ts";
import { keptToken } from "../../acts/storage.ts";
import { useAccount, useChapter } from "../../context.ts";
import { Skeleton } from "../../parts/blocks.tsx";
import { Button, Refusal } from "../../parts/form.tsx";
import { BrokenLink, LeadOn, Page } from "../../parts/page.tsx";
import { ProviderError } from "../sign.in/providers.tsx";
import { AcceptForm } from "./accept.form.tsx";
import { endingOf, endsForm, useJoined, type Ending, type InvitationProps } from "./endings.ts";

/** Accepts an invitation by the link of its mail. Nothing changes before a click. */
export function InvitationPage() {
  const { words, router, client, connection } = useAccount();
  const token = router.place.value.ticket?.token ?? keptToken.read();
  const shown = useSignal<Invitation | undefined>(undefined);
  const refusal = useSignal<Failure | undefined>(undefined);
  const waiting = useWaiting(refusal.value);
  const signIn = { href: router.href("/login"), label: words.value.signIn.submit };

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
  if (failure?.code === "member_exists") return <Already organization={invitation?.organization ?? ""} />;
  if (invitation === undefined)
    return (
      <Page key={failure === undefined ? "loading" : "failed"} title={words.value.titles.acceptInvitation}>
        {failure === undefined ? (
          <Skeleton />
        ) : (
          <>
            {troubleOf(failure) === undefined && <Refusal progress={{ refusal, waiting }} />}
            <Button progress={{ waiting }} onClick={() => void load()}>
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
  const invitation = useChapter("invitation");
  useEffect(() => keptToken.drop(), []);
  return <LeadOn title={invitation.over[ending].title} reason={invitation.over[ending].lead} way={way} />;
}

function Already({ organization }: { readonly organization: string }) {
  const { router } = useAccount();
  const { title, lead, way } = useChapter("invitation").to.already;
  useEffect(() => keptToken.drop(), []);
  const account = { href: `${router.href("/account")}#organizations`, label: way };
  return <LeadOn title={title({ organization })} reason={lead} way={account} />;
}

/** Accepts the invitation for the signed-in account, which has the invited address. */
function Joining({ token, invitation, onRefused }: InvitationProps) {
  const { client, settings } = useAccount();
  const says = useChapter("invitation");
  const joined = useJoined(invitation);
  const { send, ...progress } = useSending((failure) => {
    if (endsForm(failure)) onRefused(failure);
    return endsForm(failure);
  });
  const accept = (): void => void send(() => client.acceptInvitation({ token }), joined);
  const { invited_by: by, organization } = invitation;
  const [lead, leadBy] = organization === null ? [says.ownLead, says.ownLeadBy] : [says.to.own, says.to.ownBy];
  return (
    <Page title={organization === null ? says.title({ product: settings.product }) : says.to.title({ organization })}>
      <div>
        <p>{by === null ? lead : leadBy({ name: by })}</p>
        <p class="soft">{says.own({ email: invitation.email })}</p>
      </div>
      <Refusal progress={progress} />
      <Button kind="primary" progress={progress} onClick={accept}>
        {organization === null ? says.accept : says.to.accept}
      </Button>
    </Page>
  );
}

/** Asks for a sign-in where the address has an account by now: the link alone opens that account to nobody. */
function SignInFirst({ token, invitation }: InvitationProps) {
  const { words, router } = useAccount();
  const { forgot, signIn } = words.value;
  const { title, lead, otherwise } = useChapter("invitation").other;
  useEffect(() => keptToken.keep(token), [token]);
  return (
    <Page title={title}>
      <ProviderError />
      <p>{lead({ email: invitation.email })}</p>
      <p class="soft">{otherwise}</p>
      <div class="stack">
        <a class="button primary" href={router.href("/login", { next: router.href("/accept-invitation") })}>
          {signIn.submit}
        </a>
        <a class="button" href={router.href("/forgot-password")}>
          {forgot.sent.open}
        </a>
      </div>
    </Page>
  );
}

import { useEffect } from "preact/hooks";
import { useAccount } from "../../context.ts";
import { keptToken } from "../../kept.token.ts";
import { Page } from "../../parts/page.tsx";
import { ProviderError } from "../sign.in/provider.error.tsx";
import type { InvitationProps } from "./endings.ts";

/** The address has an account by now: its link alone opens it to nobody. */
export function SignInFirst({ token, invitation }: InvitationProps) {
  const { words, router } = useAccount();
  const { title, lead, otherwise, signIn, reset } = words.value.invitation.other;
  useEffect(() => keptToken.keep(token), [token]);
  return (
    <Page kind="entry" title={title}>
      <ProviderError />
      <p>{lead(invitation.email)}</p>
      <p class="soft">{otherwise}</p>
      <div class="stack">
        <a class="button primary" href={router.href("/login", { next: router.href("/accept-invitation") })}>
          {signIn}
        </a>
        <a class="button" href={router.href("/forgot-password")}>
          {reset}
        </a>
      </div>
    </Page>
  );
}

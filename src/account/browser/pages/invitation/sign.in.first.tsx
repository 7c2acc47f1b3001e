import { useEffect } from "preact/hooks";
import { useAccount } from "../../context.ts";
import { keptToken } from "../../acts/kept.token.ts";
import { Page } from "../../parts/page.tsx";
import { ProviderError } from "../sign.in/provider.error.tsx";
import type { InvitationProps } from "./endings.ts";

/** Asks for a sign-in where the address has an account by now: the link alone opens that account to nobody. */
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

import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { User } from "../../../../client/index.ts";
import { useAccount } from "../../context.ts";
import { Button } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { useDestinationInWords } from "./destination.ts";
import { ProviderError } from "./provider.error.tsx";

/** Whoever is signed in already. Strangers are not asked about: most who come here are. */
export function useKnownUser(): Signal<User | undefined> {
  const { session, client, router } = useAccount();
  const known = useSignal<User | undefined>(undefined);
  // An app that has verified somebody asks for a fresh proof: going on as that person would lead straight back here.
  const isToProve = router.place.value.query.has("reauthenticate");
  const isBack = router.place.value.query.has("signed_in");
  useEffect(() => {
    if (isToProve || (!isBack && !session.mayBeSignedIn())) return;
    void client.getMe().then((result) => {
      if (!result.ok) {
        if (result.code === "unauthorized") session.forget();
        return;
      }
      session.know(result.user);
      if (result.mfa_setup_required) router.toStep({ setup: "" });
      // Whoever comes back from a provider has said where to already.
      else if (isBack) router.goOn();
      else known.value = result.user;
    });
  }, []);
  return known;
}

interface KnownStepProps {
  readonly user: User;
  readonly onAnother: () => void;
}

/** Asks somebody who is signed in whether to go on as that person. */
export function KnownStep({ user, onAnother }: KnownStepProps) {
  const { words, router } = useAccount();
  const { titles, signIn } = words.value;
  return (
    <Page kind="entry" title={titles["/login"]} subtitle={useDestinationInWords()}>
      <ProviderError />
      <div>
        <p>{signIn.signedInAs(user.display_name)}</p>
        {user.email !== user.display_name && <p class="soft">{user.email}</p>}
      </div>
      <div class="stack">
        <Button kind="primary" onClick={() => router.goOn()}>
          {signIn.continueAs}
        </Button>
        <Button onClick={onAnother}>{signIn.another}</Button>
      </div>
    </Page>
  );
}

import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { User } from "../../../../client/index.ts";
import { useAccount } from "../../context.ts";
import { Button } from "../../parts/form.tsx";
import { Page } from "../../parts/page.tsx";
import { useDestinationInWords } from "./ending.tsx";
import { ProviderError } from "./providers.tsx";

/** Returns the user who is signed in already. The server is not asked about strangers, who are most visitors of this page. */
export function useKnownUser(): Signal<User | undefined> {
  const { session, client, router } = useAccount();
  const known = useSignal<User | undefined>(undefined);
  // `reauthenticate`: an app demands a fresh proof of the user. Going on without one would lead straight back here.
  const isToProve = router.place.value.query.has("reauthenticate");
  const isBack = router.place.value.query.has("signed_in");
  // `select_account`: an app has seen that somebody is signed in, and leaves the choice to them.
  const isKnown = isBack || router.place.value.query.has("select_account");
  useEffect(() => {
    if (isToProve || (!isKnown && !session.mayBeSignedIn())) return;
    void client.getMe().then((result) => {
      if (!result.ok) {
        if (result.code === "unauthorized") session.forget();
        return;
      }
      session.know(result.user);
      if (result.mfa_setup_required) router.toStep({ setup: "" });
      // A user who comes back from a provider has chosen the destination already.
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

/** Asks a signed-in user whether to go on as that user. */
export function KnownStep({ user, onAnother }: KnownStepProps) {
  const { words, router } = useAccount();
  const { titles, signIn } = words.value;
  return (
    <Page title={titles.signIn} subtitle={useDestinationInWords()}>
      <ProviderError />
      <div>
        <p>{signIn.signedInAs({ name: user.display_name })}</p>
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

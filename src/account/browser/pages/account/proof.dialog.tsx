import { useEffect } from "preact/hooks";
import type { Identity, Result } from "../../../../client/index.ts";
import { useAccount } from "../../context.ts";
import { StuckWords, usePasskeySupport } from "../../factors/passkeys.tsx";
import { Prompt, type Shown, type Way } from "../../factors/prompt.tsx";
import type { Holdings } from "../../acts/holdings.ts";
import { Dialog } from "../../parts/blocks.tsx";
import { Button } from "../../parts/form.tsx";
import { ProviderMark } from "../../parts/marks.tsx";

type ProofDialogProps = Pick<Holdings, "identities" | "mfa" | "sessions">;

/** Asks the signed-in user for a fresh proof of identity, when an act needs one. */
export function ProofDialog({ identities, ...holdings }: ProofDialogProps) {
  const { client, words, proof } = useAccount();
  const { title, lead } = words.value.acts.proof;
  const question = proof.question.value;
  const { ways, isElsewhere, isStuck } = useWays(holdings);
  // An act that waits for the answer gets one when the page is left.
  useEffect(() => () => proof.question.value?.answer(false), []);
  if (question === undefined) return null;
  const cancel = (): void => question.answer(false);
  async function send(shown: Shown): Promise<Result> {
    const result = await client.reauthenticate(shown);
    if (result.ok) question?.answer(true);
    return result;
  }
  return (
    <Dialog title={title} onClose={cancel}>
      {isStuck ? (
        <>
          <StuckWords isElsewhere={isElsewhere} />
          <Button onClick={cancel}>{words.value.acts.cancel}</Button>
        </>
      ) : ways.length === 0 ? (
        <ByProvider identities={identities.value.value} onCancel={cancel} />
      ) : (
        <>
          <p>{lead}</p>
          <Prompt
            id="proof"
            ways={ways}
            submit={words.value.signIn.continueAs}
            getPasskeyOptions={() => client.getReauthenticationOptions()}
            send={send}
            onCancel={cancel}
          />
        </>
      )}
    </Dialog>
  );
}

/** Returns the ways to prove the identity without leaving the page. */
function useWays({ mfa: { value }, sessions }: Omit<ProofDialogProps, "identities">) {
  const { session, settings } = useAccount();
  const user = session.user.value;
  const canUsePasskeys = usePasskeySupport();
  const mfa = value.value;
  const hasFactor = mfa !== undefined && (mfa.totp || mfa.passkeys.length > 0);
  const isElsewhere = mfa?.passkeys.every(({ rp_id: domain }) => domain !== settings.passkeyDomain) ?? true;
  // A session that is older than the account's first second factor needs a proof by a second factor.
  const isOlder = hasFactor && sessions.value.value?.find(({ current }) => current)?.factor === null;
  const all: readonly [Way, boolean | undefined][] = [
    ["password", user?.has_password === true && !isOlder],
    ["passkey", canUsePasskeys && !isElsewhere],
    ["totp", mfa?.totp],
    ["recovery_code", (mfa?.recovery_codes_left ?? 0) > 0],
  ];
  const ways = all.filter(([, isThere]) => isThere).map(([way]) => way);
  return { ways, isElsewhere, isStuck: isOlder && ways.length === 0 };
}

interface ByProviderProps {
  /** Undefined where they can't be fetched: a session that still has to set up a second factor may not ask for them. */
  readonly identities: readonly Identity[] | undefined;
  readonly onCancel: () => void;
}

/** Lets a user with neither a password nor a second factor sign in once more with a linked provider. */
function ByProvider({ identities, onCancel }: ByProviderProps) {
  const { words, client, router, settings } = useAccount();
  const { proof, cancel } = words.value.acts;
  const linked = identities?.flatMap(({ provider, label }) => (label === null ? [] : [[provider, label] as const]));
  const ways = new Map(linked ?? settings.providers.map(({ name, label }) => [name, label]));
  const back = `${router.href("/account")}${location.hash}`;
  return (
    <>
      <p>{proof.byProvider}</p>
      <div class="stack">
        {[...ways].map(([name, label]) => (
          <a key={name} class="button provider" href={client.startProviderLogin(name, back)}>
            <ProviderMark name={name} />
            {proof.provider({ label })}
          </a>
        ))}
        <Button onClick={onCancel}>{cancel}</Button>
      </div>
    </>
  );
}

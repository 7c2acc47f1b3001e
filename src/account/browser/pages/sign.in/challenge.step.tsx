import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { LoginChallenge, Result } from "../../../../client/index.ts";
import { useAccount } from "../../context.ts";
import { useSecondsLeft, useSending } from "../../acts/sending.ts";
import { StuckWords, usePasskeySupport } from "../../factors/passkeys.tsx";
import { Prompt, type Shown } from "../../factors/prompt.tsx";
import { Skeleton } from "../../parts/blocks.tsx";
import { Button, Refusal } from "../../parts/form.tsx";
import { LeadOn, Page } from "../../parts/page.tsx";
import { asClock } from "../../time.ts";
import { useDestinationInWords } from "./ending.tsx";
import { useEndOrLeave } from "./own.provider.tsx";

interface Challenge extends LoginChallenge {
  /** When the challenge ends, in milliseconds since 1970 by this browser's clock. */
  readonly endsAt: number;
}

/** The second step of a sign-in. `id` is the name that the answer to the first step gave it. */
export function ChallengeStep({ id }: { readonly id: string }) {
  const { words, client } = useAccount();
  const { challenge: say } = words.value.factors;
  const challenge = useSignal<Challenge | undefined>(undefined);
  const isOver = useSignal(false);
  const { isBusy, refusal, send } = useSending(({ code }) => {
    isOver.value = code === "invalid_challenge";
    return isOver.value;
  });
  const load = (): void =>
    void send(
      () => client.getLoginChallenge(id),
      (answer) => void (challenge.value = { ...answer, endsAt: Date.now() + answer.expires_in * 1000 }),
    );
  useEffect(load, []);
  if (isOver.value) return <Over why={say.over.void} />;
  if (challenge.value !== undefined)
    return <SecondStep id={id} challenge={challenge.value} onVoid={() => void (isOver.value = true)} />;
  return (
    <Page title={say.title}>
      <Refusal progress={{ refusal }} />
      {isBusy.value ? <Skeleton /> : <Button onClick={load}>{words.value.trouble.again}</Button>}
    </Page>
  );
}

interface SecondStepProps {
  readonly id: string;
  readonly challenge: Challenge;
  /** Called when the server no longer waits for the step. */
  readonly onVoid: () => void;
}

function SecondStep({ id, challenge, onVoid }: SecondStepProps) {
  const { words, client, router } = useAccount();
  const { challenge: say } = words.value.factors;
  const end = useEndOrLeave();
  const left = useSecondsLeft(challenge.endsAt) ?? 0;
  const canUsePasskeys = usePasskeySupport();
  const subtitle = useDestinationInWords();
  const ways = challenge.methods.filter((method) => method !== "passkey" || canUsePasskeys);
  if (ways.length === 0) return <Stuck isElsewhere={challenge.methods.length === 0} />;
  if (left === 0) return <Over why={say.over.tooLate} />;

  async function send(shown: Shown): Promise<Result> {
    if ("current_password" in shown) throw new TypeError("a password is no second step");
    const result = await end(await client.verifyLogin({ challenge: id, ...shown }));
    if (!result.ok && result.code === "invalid_challenge") onVoid();
    return result;
  }

  return (
    <Page title={say.title} subtitle={subtitle}>
      <Prompt
        id="challenge"
        ways={ways}
        submit={words.value.signIn.submit}
        getPasskeyOptions={async () => ({ ok: true, ...challenge })}
        send={send}
      />
      <div class="aside">
        {/* A screen reader does not read the countdown each second; it reads the text below, once. */}
        <p class="countdown" role="timer" aria-live="off">
          {say.left({ clock: asClock(left) })}
        </p>
        <p class="unseen" role="status">
          {left <= 60 && say.lastMinute}
        </p>
        <a href={router.onward("/login")}>{say.restart}</a>
      </div>
    </Page>
  );
}

/** Explains a second step that can't be taken in this browser. */
function Stuck({ isElsewhere }: { readonly isElsewhere: boolean }) {
  const { words, router } = useAccount();
  const { stuck, challenge } = words.value.factors;
  return (
    <Page title={stuck.title}>
      <StuckWords isElsewhere={isElsewhere} />
      <p class="aside">
        <a href={router.onward("/login")}>{challenge.restart}</a>
      </p>
    </Page>
  );
}

/** Explains a second step that can't be taken any more. The page always has a way on. */
function Over({ why }: { readonly why: string }) {
  const { words, router } = useAccount();
  const { title, submit } = words.value.factors.challenge.over;
  return <LeadOn title={title} reason={why} way={{ href: router.onward("/login"), label: submit }} />;
}

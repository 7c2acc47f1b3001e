import { useSignal } from "@preact/signals";
import { useAccount } from "../../context.ts";
import { ChallengeStep } from "./challenge.step.tsx";
import { CredentialsStep } from "./credentials.step.tsx";
import { KnownStep, useKnownUser } from "./known.step.tsx";
import { MailStep } from "./mail.step.tsx";
import { SetupStep } from "./setup.step.tsx";
import type { Step } from "./step.ts";
import { UnverifiedStep } from "./unverified.step.tsx";

/** Leads through a sign-in, one step at a time. */
export function SignInPage() {
  const { query } = useAccount().router.place.value;
  const challenge = query.get("challenge");
  if (challenge !== null) return <ChallengeStep key={challenge} id={challenge} />;
  return query.has("setup") ? <SetupStep /> : <FirstSteps />;
}

function FirstSteps() {
  const step = useSignal<Step>({ name: "credentials" });
  const known = useKnownUser();
  const onStep = (next: Step): void => void (step.value = next);
  switch (step.value.name) {
    case "unverified":
      return <UnverifiedStep onStep={onStep} />;
    case "mail":
      return <MailStep login={step.value.login} onStep={onStep} />;
    case "credentials":
      return known.value === undefined ? (
        <CredentialsStep onStep={onStep} />
      ) : (
        <KnownStep user={known.value} onAnother={() => void (known.value = undefined)} />
      );
  }
}

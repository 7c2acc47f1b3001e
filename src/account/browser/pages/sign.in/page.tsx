import { useSignal } from "@preact/signals";
import { CredentialsStep } from "./credentials.step.tsx";
import { KnownStep, useKnownUser } from "./known.step.tsx";
import type { Step } from "./step.ts";
import { UnverifiedStep } from "./unverified.step.tsx";

/** Leads through a sign-in, one step at a time. */
export function SignInPage() {
  const step = useSignal<Step>({ name: "credentials" });
  const known = useKnownUser();
  const onStep = (next: Step): void => void (step.value = next);
  switch (step.value.name) {
    case "unverified":
      return <UnverifiedStep onStep={onStep} />;
    case "credentials":
      return known.value === undefined ? (
        <CredentialsStep onStep={onStep} />
      ) : (
        <KnownStep user={known.value} onAnother={() => void (known.value = undefined)} />
      );
  }
}

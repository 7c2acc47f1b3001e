import { useSignal } from "@preact/signals";
import { lasting } from "../../../shared/in.words.ts";
import { useAccount } from "../../context.ts";
import { Button } from "../../parts/form.tsx";
import { Page } from "../../parts/page.tsx";
import { ChallengeStep } from "./challenge.step.tsx";
import { CredentialsStep } from "./credentials.step.tsx";
import { KnownStep, useKnownUser } from "./known.step.tsx";
import { MailStep } from "./mail.step.tsx";
import { SetupStep } from "./setup.step.tsx";
import { TermsStep } from "./terms.step.tsx";

/** Leads through a sign-in, one step at a time. */
export function SignInPage() {
  const { query } = useAccount().router.place.value;
  const challenge = query.get("challenge");
  if (challenge !== null) return <ChallengeStep key={challenge} id={challenge} />;
  if (query.has("terms")) return <TermsStep />;
  return query.has("setup") ? <SetupStep /> : <FirstSteps />;
}

/** The position of a sign-in within its first step. Later steps are in the address of the page. */
type Step = "credentials" | "unverified" | { readonly mailTo: string };

function FirstSteps() {
  const step = useSignal<Step>("credentials");
  const known = useKnownUser();
  const back = (): void => void (step.value = "credentials");
  if (step.value === "unverified") return <UnverifiedStep onBack={back} />;
  if (step.value !== "credentials") return <MailStep login={step.value.mailTo} onBack={back} />;
  if (known.value !== undefined)
    return <KnownStep user={known.value} onAnother={() => void (known.value = undefined)} />;
  return (
    <CredentialsStep
      onUnverified={() => void (step.value = "unverified")}
      onMail={(mailTo) => void (step.value = { mailTo })}
    />
  );
}

/** Follows a right password whose address has to be verified first: the server has sent its mail again. */
function UnverifiedStep({ onBack }: { readonly onBack: () => void }) {
  const { words, settings } = useAccount();
  const { back, unverified } = words.value.signIn;
  const { title, lead, sent } = unverified;
  return (
    <Page title={title}>
      <p>{lead}</p>
      <p class="soft">{sent({ duration: lasting(settings.links.verificationMs, words.value) })}</p>
      <Button onClick={onBack}>{back}</Button>
    </Page>
  );
}

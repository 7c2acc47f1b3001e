import { useRef } from "preact/hooks";
import { useAccount } from "../../context.ts";
import { useForm, type FormState } from "../../form.ts";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/form/check.tsx";
import { Field } from "../../parts/form/field.tsx";
import { Form } from "../../parts/form/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { PasswordField } from "../../parts/form/password.field.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { useWaiting } from "../../acts/waiting.ts";
import { useDestinationInWords } from "./destination.ts";
import { useEndSignIn } from "./ending.ts";
import { OtherWays } from "./other.ways.tsx";
import { usePasskeySignIn } from "./passkey.sign.in.ts";
import { ProviderError } from "./provider.error.tsx";
import type { Step } from "./step.ts";

interface CredentialsStepProps {
  readonly onStep: (next: Step) => void;
}

function useCredentials({ onStep }: CredentialsStepProps): FormState<"login" | "password"> {
  const { words, client, pages } = useAccount();
  const { fields } = words.value;
  const end = useEndSignIn();
  return useForm({
    fields: [
      { name: "login", label: fields.login },
      { name: "password", label: fields.password },
    ],
    forgets: "password",
    async send(valueOf) {
      pages.expect("/account");
      const remember = valueOf("remember") !== "";
      const result = await client.login({ login: valueOf("login"), password: valueOf("password"), remember });
      if (!result.ok && result.code === "email_not_verified") onStep({ name: "unverified" });
      return end(result);
    },
  });
}

/** The first step of a sign-in: a name and a password, a passkey, a mail, or a provider. */
export function CredentialsStep({ onStep }: CredentialsStepProps) {
  const { words, router, session, settings } = useAccount();
  const { fields, signIn, titles } = words.value;
  const form = useCredentials({ onStep });
  const login = useRef("");
  const passkey = usePasskeySignIn(
    () => form.ref.current?.querySelector<HTMLInputElement>("[name=remember]")?.checked === true,
  );
  const refusal = form.refusal.value;
  const waiting = useWaiting(refusal);
  const farewell = session.farewell.value;
  const isWaiting = (waiting?.secondsLeft ?? 0) > 0;

  return (
    <Page kind="entry" title={titles["/login"]} subtitle={useDestinationInWords()}>
      <ProviderError />
      {farewell !== undefined && refusal === undefined && <Notice>{signIn.farewell[farewell]}</Notice>}
      <Refusal failure={refusal} waiting={waiting} />
      <Form state={form}>
        <Field
          form={form}
          name="login"
          label={fields.login}
          autocomplete="username webauthn"
          isFirst
          onInput={(value) => {
            login.current = value;
            // Another name has a lock of its own.
            form.forgive();
          }}
        />
        <PasswordField form={form} name="password" label={fields.password} autocomplete="current-password" />
        <div class="row">
          <Check name="remember" label={fields.remember} />
          <a href={router.onward("/forgot-password")}>{signIn.forgot}</a>
        </div>
        <Button kind="primary" isBusy={form.isBusy.value} isDisabled={isWaiting}>
          {signIn.submit}
        </Button>
      </Form>
      <OtherWays passkey={passkey} onMail={() => onStep({ name: "mail", login: login.current })} />
      {settings.registration.isOpen && (
        <p class="aside">
          {signIn.newHere} <a href={router.onward("/register")}>{signIn.register}</a>
        </p>
      )}
    </Page>
  );
}

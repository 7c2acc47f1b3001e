import { useSignal } from "@preact/signals";
import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/form/field.tsx";
import { Form } from "../parts/form/form.tsx";
import { NewPasswordField } from "../parts/form/new.password.field.tsx";
import { Page } from "../parts/page.tsx";
import { Refusal } from "../parts/form/refusal.tsx";
import { guide } from "../parts/form/password.guidance.ts";
import { useWaiting } from "../acts/waiting.ts";
import { useEndSignIn } from "./sign.in/ending.ts";
import { Providers } from "./sign.in/providers.tsx";

/** Makes an account. Signs in to it at once, or says that a mail has been sent and comes first. */
export function RegisterPage() {
  const { settings } = useAccount();
  const sentTo = useSignal<string | undefined>(undefined);
  if (!settings.registration.isOpen) return <Closed />;
  if (sentTo.value !== undefined) return <Sent email={sentTo.value} />;
  return <Registration onSent={(email) => void (sentTo.value = email)} />;
}

interface RegistrationProps {
  /** Called with the address that a mail has been sent to. */
  readonly onSent: (email: string) => void;
}

function useRegistration({ onSent }: RegistrationProps) {
  const { words, client, settings } = useAccount();
  const { fields } = words.value;
  const end = useEndSignIn();
  const email = useSignal("");
  const owner = { username: email.value, email: email.value };
  const judge = (value: string): string | undefined => {
    const { isGood, text } = guide(value, owner, settings.password, words.value);
    return isGood ? undefined : text;
  };
  const form = useForm({
    fields: [
      { name: "display_name", label: fields.name, isOptional: true },
      { name: "email", label: fields.email },
      { name: "password", label: fields.password, judge },
    ],
    blame: { email_taken: "email", username_taken: "email" },
    async send(valueOf) {
      const [address, name] = [valueOf("email").trim(), valueOf("display_name").trim()];
      const named = name === "" ? {} : { display_name: name };
      const result = await client.register({ email: address, password: valueOf("password"), ...named });
      if (!result.ok) return result;
      if (result.user === undefined) onSent(address);
      else await end({ ok: true, user: result.user });
      return result;
    },
  });
  return { form, owner, onEmail: (value: string) => void (email.value = value.trim()) };
}

function Registration(props: RegistrationProps) {
  const { words, router, settings } = useAccount();
  const { fields, register, titles } = words.value;
  const { form, owner, onEmail } = useRegistration(props);
  const waiting = useWaiting(form.refusal.value);
  return (
    <Page kind="entry" title={titles["/register"]}>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <Form state={form}>
        <Field
          form={form}
          name="display_name"
          label={fields.name}
          autocomplete="name"
          maxLength={200}
          isFirst
          isOptional
        />
        <Field
          form={form}
          name="email"
          label={fields.email}
          type="email"
          autocomplete="username"
          hint={settings.registration.verifiesAddress ? register.mailComes : undefined}
          onInput={onEmail}
        />
        <NewPasswordField form={form} name="password" label={fields.password} owner={owner} />
        <Button kind="primary" isBusy={form.isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0}>
          {register.submit}
        </Button>
      </Form>
      <Providers />
      <p class="aside">
        {register.have} <a href={router.onward("/login")}>{register.signIn}</a>
      </p>
    </Page>
  );
}

function Sent({ email }: { readonly email: string }) {
  const { words, router } = useAccount();
  const { title, lead, otherwise, back } = words.value.register.sent;
  return (
    <Page kind="entry" title={title}>
      <p>{lead(email)}</p>
      <p class="soft">{otherwise}</p>
      <a class="button" href={router.onward("/login")}>
        {back}
      </a>
    </Page>
  );
}

function Closed() {
  const { words, router } = useAccount();
  const { register, refusals } = words.value;
  return (
    <Page kind="entry" title={register.closed}>
      <p>{refusals.registration_closed}</p>
      <a class="button" href={router.onward("/login")}>
        {register.sent.back}
      </a>
    </Page>
  );
}

import { useSignal } from "@preact/signals";
import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { Field, NewPasswordField, useNewPassword } from "../parts/fields.tsx";
import { PageForm } from "../parts/form.tsx";
import { Page } from "../parts/page.tsx";
import { TermsField, useTerms } from "../parts/terms.tsx";
import { useDestinationInWords, useEndSignIn } from "./sign.in/ending.tsx";
import { Providers } from "./sign.in/providers.tsx";

/** Makes an account. Signs in to it at once, or says that a mail has been sent and comes first. */
export function RegisterPage() {
  const { settings, router } = useAccount();
  const sentTo = useSignal<string | undefined>(undefined);
  const newcomer = router.place.value.query.get("newcomer");
  if (newcomer !== null) return <NewcomerForm state={newcomer} />;
  if (!settings.registration.isOpen) return <Closed />;
  if (sentTo.value !== undefined) return <Sent email={sentTo.value} />;
  return <Registration onSent={(email) => void (sentTo.value = email)} />;
}

interface RegistrationProps {
  /** Called with the address that a mail has been sent to. */
  readonly onSent: (email: string) => void;
}

function Registration({ onSent }: RegistrationProps) {
  const { words, client, router, settings } = useAccount();
  const { fields, register, signIn, titles } = words.value;
  const end = useEndSignIn();
  const email = useSignal("");
  const owner = { username: email.value, email: email.value };
  const terms = useTerms();
  const form = useForm({
    fields: [
      { name: "display_name", label: fields.name, isOptional: true },
      { name: "email", label: fields.email },
      useNewPassword("password", fields.password, owner),
      ...terms.fields,
    ],
    blame: { email_taken: "email", username_taken: "email", domain_not_allowed: "email", ...terms.blame },
    async send(valueOf) {
      const [address, name] = [valueOf("email").trim(), valueOf("display_name").trim()];
      const named = name === "" ? {} : { display_name: name };
      const given = { email: address, password: valueOf("password"), ...named, ...terms.accepted(valueOf) };
      const result = await client.register(given);
      if (!result.ok) return result;
      router.keepForMail();
      if (result.user === undefined) onSent(address);
      else await end({ ok: true, user: result.user });
      return result;
    },
  });
  return (
    <Page title={titles.register} subtitle={useDestinationInWords()}>
      <PageForm form={form} submit={register.submit}>
        <Field form={form} name="display_name" autocomplete="name" maxLength={200} isFirst />
        <Field
          form={form}
          name="email"
          type="email"
          autocomplete="username"
          hint={settings.registration.verifiesAddress ? register.mailComes : undefined}
          onInput={(value) => void (email.value = value.trim())}
        />
        <NewPasswordField form={form} name="password" owner={owner} />
        <TermsField form={form} />
      </PageForm>
      <Providers />
      <p class="aside">
        {register.have} <a href={router.onward("/login")}>{signIn.submit}</a>
      </p>
    </Page>
  );
}

/** Asks somebody who came by a provider for the first time to accept the terms. Only then is there an account. */
function NewcomerForm({ state }: { readonly state: string }) {
  const { words, client, router, settings } = useAccount();
  const { register, terms: says } = words.value;
  const provider = router.place.value.query.get("provider") ?? "";
  const label = settings.providers.find(({ name }) => name === provider)?.label ?? provider;
  const end = useEndSignIn();
  const terms = useTerms();
  const form = useForm({
    fields: terms.fields,
    blame: terms.blame,
    send: async (valueOf) =>
      end(await client.registerByProvider({ state, accepted_terms: valueOf("accepted_terms") }, provider)),
  });
  return (
    <Page title={says.newcomer.title}>
      <p>{says.newcomer.lead({ provider: label })}</p>
      <PageForm form={form} submit={register.submit}>
        <TermsField form={form} />
      </PageForm>
      <p class="aside">
        <a href={router.onward("/login")}>{says.newcomer.cancel}</a>
      </p>
    </Page>
  );
}

function Sent({ email }: { readonly email: string }) {
  const { words, router } = useAccount();
  const { forgot, register } = words.value;
  const { lead, otherwise, back } = register.sent;
  return (
    <Page title={forgot.sent.title}>
      <p>{lead({ email })}</p>
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
    <Page title={register.closed}>
      <p>{refusals.registration_closed}</p>
      <a class="button" href={router.onward("/login")}>
        {register.sent.back}
      </a>
    </Page>
  );
}

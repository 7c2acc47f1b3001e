import { useSignal } from "@preact/signals";
import { keptToken } from "../../acts/storage.ts";
import { useSending } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Field, KeptUnder, NewPasswordField, useNewPassword } from "../../parts/fields.tsx";
import { PageForm, Refusal } from "../../parts/form.tsx";
import { ProviderMark } from "../../parts/marks.tsx";
import { Page } from "../../parts/page.tsx";
import { TermsField, useTerms } from "../../parts/terms.tsx";
import { ProviderError } from "../sign.in/providers.tsx";
import { endsForm, useJoined, type InvitationProps } from "./endings.ts";

/** Makes the account: with a name and a password, or with a provider. */
export function AcceptForm({ token, invitation, onRefused }: InvitationProps) {
  const { words, client, settings } = useAccount();
  const { fields } = words.value;
  const says = useChapter("invitation");
  const { email, display_name: suggested, invited_by: by, organization } = invitation;
  const owner = { username: email, email };
  const joined = useJoined(invitation);
  const terms = useTerms();
  const form = useForm({
    fields: [
      { name: "display_name", label: fields.name, isOptional: true },
      useNewPassword("password", fields.password, owner),
      ...terms.fields,
    ],
    blame: terms.blame,
    async send(valueOf) {
      const name = valueOf("display_name").trim();
      const named = name === "" ? {} : { display_name: name };
      const given = { token, password: valueOf("password"), ...named, ...terms.accepted(valueOf) };
      const result = await client.acceptInvitation(given);
      if (!result.ok && endsForm(result)) onRefused(result);
      return result;
    },
    done: joined,
  });
  return (
    <Page title={organization === null ? says.title({ product: settings.product }) : says.to.title({ organization })}>
      <div>
        <p>{by === null ? says.lead : says.leadBy({ name: by })}</p>
        <p class="soft">{says.address({ email })}</p>
      </div>
      <ProviderError />
      <PageForm form={form} submit={organization === null ? says.submit : says.to.submit}>
        <KeptUnder email={email} />
        <Field
          form={form}
          name="display_name"
          autocomplete="name"
          value={suggested ?? ""}
          maxLength={200}
          isFirst={suggested === null}
        />
        <NewPasswordField form={form} name="password" owner={owner} isFirst={suggested !== null} />
        <TermsField form={form} />
      </PageForm>
      <InvitedProviders token={token} invitation={invitation} onRefused={onRefused} />
    </Page>
  );
}

/** Offers the providers. Each begins with a request and not with a link, whose address would put the token into logs and the history. */
function InvitedProviders({ token, invitation, onRefused }: InvitationProps) {
  const { settings, words, client, router } = useAccount();
  const begun = useSignal<string | undefined>(undefined);
  const { isBusy, refusal, send } = useSending((failure) => {
    if (endsForm(failure)) onRefused(failure);
    return endsForm(failure);
  });
  if (settings.providers.length === 0) return null;
  const begin = (name: string): void => {
    begun.value = name;
    const next = `${router.href("/account")}${invitation.organization === null ? "" : "#organizations"}`;
    void send(
      () => client.startInvitedLogin({ token, next }, name),
      ({ location: elsewhere }) => {
        keptToken.keep(token);
        location.assign(elsewhere);
      },
    );
  };
  return (
    <>
      <p class="or soft">{words.value.signIn.or}</p>
      <Refusal progress={{ refusal }} />
      <div class="stack">
        {settings.providers.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            class={isBusy.value && begun.value === name ? "provider busy" : "provider"}
            aria-disabled={isBusy.value}
            onClick={() => {
              if (!isBusy.value) begin(name);
            }}
          >
            <ProviderMark name={name} />
            {words.value.signIn.provider({ label })}
          </button>
        ))}
      </div>
    </>
  );
}

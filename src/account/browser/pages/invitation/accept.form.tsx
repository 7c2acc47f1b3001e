import { useSignal } from "@preact/signals";
import { useAccount } from "../../context.ts";
import { useForm } from "../../form.ts";
import { keptToken } from "../../acts/kept.token.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/form/field.tsx";
import { Form } from "../../parts/form/form.tsx";
import { NewPasswordField } from "../../parts/form/new.password.field.tsx";
import { Page } from "../../parts/page.tsx";
import { ProviderMark } from "../../parts/marks/provider.mark.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { guide } from "../../parts/form/password.guidance.ts";
import { useSending } from "../../acts/sending.ts";
import { useWaiting } from "../../acts/waiting.ts";
import { ProviderError } from "../sign.in/provider.error.tsx";
import { endsForm, type InvitationProps } from "./endings.ts";

function useAcceptance({ token, invitation, onRefused }: InvitationProps) {
  const { words, client, router, session, settings } = useAccount();
  const { fields } = words.value;
  const owner = { username: invitation.email, email: invitation.email };
  const form = useForm({
    fields: [
      { name: "display_name", label: fields.name, isOptional: true },
      {
        name: "password",
        label: fields.password,
        judge(value) {
          const { isGood, text } = guide(value, owner, settings.password, words.value);
          return isGood ? undefined : text;
        },
      },
    ],
    async send(valueOf) {
      const name = valueOf("display_name").trim();
      const named = name === "" ? {} : { display_name: name };
      const result = await client.acceptInvitation({ token, password: valueOf("password"), ...named });
      if (result.ok) {
        keptToken.drop();
        session.know(result.user);
        router.replace("/account");
      } else if (endsForm(result)) onRefused(result);
      return result;
    },
  });
  return { form, owner };
}

/** Makes the account: with a name and a password, or with a provider. */
export function AcceptForm(props: InvitationProps) {
  const { token, invitation, onRefused } = props;
  const { words, settings } = useAccount();
  const { fields, invitation: says } = words.value;
  const { form, owner } = useAcceptance(props);
  const waiting = useWaiting(form.refusal.value);
  const by = invitation.invited_by;
  return (
    <Page kind="entry" title={says.title(settings.product)}>
      <div>
        <p>{by === null ? says.lead : says.leadBy(by)}</p>
        <p class="soft">{says.address(invitation.email)}</p>
      </div>
      <ProviderError />
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <Form state={form}>
        {/* A password manager keeps the password under this hidden name. */}
        <input type="text" name="username" autocomplete="username" value={invitation.email} readOnly hidden />
        <Field
          form={form}
          name="display_name"
          label={fields.name}
          autocomplete="name"
          value={invitation.display_name ?? ""}
          maxLength={200}
          isFirst={invitation.display_name === null}
          isOptional
        />
        <NewPasswordField
          form={form}
          name="password"
          label={fields.password}
          owner={owner}
          isFirst={invitation.display_name !== null}
        />
        <Button kind="primary" isBusy={form.isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0}>
          {says.submit}
        </Button>
      </Form>
      <InvitedProviders token={token} onRefused={onRefused} />
    </Page>
  );
}

/** Offers the providers. Each begins with a request and not with a link, whose address would put the token into logs and the history. */
function InvitedProviders({ token, onRefused }: Pick<InvitationProps, "token" | "onRefused">) {
  const { settings, words, client, router } = useAccount();
  const begun = useSignal<string | undefined>(undefined);
  const { isBusy, refusal, send } = useSending((failure) => {
    if (endsForm(failure)) onRefused(failure);
    return endsForm(failure);
  });
  if (settings.providers.length === 0) return null;
  const begin = (name: string): void => {
    begun.value = name;
    const next = router.href("/account");
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
      <Refusal failure={refusal.value} />
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
            {words.value.signIn.provider(label)}
          </button>
        ))}
      </div>
    </>
  );
}

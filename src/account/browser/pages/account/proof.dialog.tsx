import { useEffect } from "preact/hooks";
import type { Identity } from "../../../../client/index.ts";
import { useAccount } from "../../context.ts";
import { useForm } from "../../form.ts";
import type { Resource } from "../../holdings.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form.tsx";
import { FormButtons } from "../../parts/form.buttons.tsx";
import { PasswordField } from "../../parts/password.field.tsx";
import { ProviderMark } from "../../parts/provider.mark.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { useWaiting } from "../../waiting.ts";

interface ProofDialogProps {
  readonly identities: Resource<readonly Identity[]>;
}

/** Asks whoever is signed in to show that it is still them, when something wants to know. */
export function ProofDialog({ identities }: ProofDialogProps) {
  const { words, session, proof } = useAccount();
  const { title } = words.value.account.proof;
  const question = proof.question.value;
  // Whoever waits for an answer when the page is left gets one.
  useEffect(() => () => proof.question.value?.answer(false), []);
  if (question === undefined) return null;
  const cancel = (): void => question.answer(false);
  return (
    <Dialog title={title} onClose={cancel}>
      {session.user.value?.has_password === true ? (
        <ByPassword onCancel={cancel} onProven={() => question.answer(true)} />
      ) : (
        <ByProvider identities={identities} onCancel={cancel} />
      )}
    </Dialog>
  );
}

interface ByPasswordProps {
  readonly onProven: () => void;
  readonly onCancel: () => void;
}

function ByPassword({ onProven, onCancel }: ByPasswordProps) {
  const { words, client } = useAccount();
  const { proof, password } = words.value.account;
  const form = useForm({
    id: "proof",
    fields: [{ name: "current_password", label: password.current }],
    blame: { invalid_credentials: "current_password" },
    async send(valueOf) {
      const result = await client.reauthenticate({ current_password: valueOf("current_password") });
      if (result.ok) onProven();
      return result;
    },
  });
  const waiting = useWaiting(form.refusal.value);
  return (
    <Form state={form}>
      <p>{proof.byPassword}</p>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <PasswordField form={form} name="current_password" label={password.current} autocomplete="current-password" />
      <FormButtons form={form} label={proof.submit} waiting={waiting} onCancel={onCancel} />
    </Form>
  );
}

interface ByProviderProps extends ProofDialogProps {
  readonly onCancel: () => void;
}

/** Who has no password signs in once more with a provider that is linked. */
function ByProvider({ identities, onCancel }: ByProviderProps) {
  const { words, client, router, settings } = useAccount();
  const { proof, cancel } = words.value.account;
  const linked = new Set(identities.value.value?.map(({ provider }) => provider));
  const back = `${router.href("/account")}${location.hash}`;
  return (
    <>
      <p>{proof.byProvider}</p>
      <div class="stack">
        {settings.providers
          .filter(({ name }) => linked.has(name))
          .map(({ name, label }) => (
            <a key={name} class="button provider" href={client.startProviderLogin(name, back)}>
              <ProviderMark name={name} />
              {proof.provider(label)}
            </a>
          ))}
        <Button onClick={onCancel}>{cancel}</Button>
      </div>
    </>
  );
}

import { useEffect, useMemo } from "preact/hooks";
import type { OrganizationProvider } from "../../../../../client/index.ts";
import { createHoldings } from "../../../acts/holdings.ts";
import { useAccount, useChapter } from "../../../context.ts";
import { useForm } from "../../../form.ts";
import { Card, Outcome } from "../../../parts/blocks.tsx";
import { Check, Field, PasswordField } from "../../../parts/fields.tsx";
import { Button, InnerForm } from "../../../parts/form.tsx";
import { OpeningForm, useOpening } from "../../../parts/opening.tsx";
import { ProofDialog } from "../../account/proof.dialog.tsx";
import { Awaited, Question } from "../../account/section.tsx";
import { Copyable } from "./copyable.tsx";
import type { Ways, WaysProps } from "./ways.ts";

/** The provider of the organization's own, for its owners. */
export function ProviderSection({ title, ways }: WaysProps) {
  const account = useAccount();
  const { provider: say } = useChapter("ways");
  const holdings = useMemo(() => createHoldings(account), []);
  useEffect(() => {
    void ways.provider.load();
    // An act here takes a fresh proof, and the question for it has to know how the reader can give one.
    for (const resource of [holdings.identities, holdings.mfa, holdings.sessions]) void resource.load();
  }, []);
  const { value: provider } = ways.provider.value;
  const state = provider === null ? say.none : provider?.enforced === true ? say.demanded : say.offered;
  return (
    <Card id="sign-in" title={title} state={provider === undefined ? undefined : state}>
      {provider === undefined ? <Awaited resource={ways.provider} /> : <Shown ways={ways} provider={provider} />}
      <Outcome text={ways.outcome.value} />
      <ProofDialog {...holdings} />
    </Card>
  );
}

interface ShownProps {
  readonly ways: Ways;
  readonly provider: OrganizationProvider | null;
}

function Shown({ ways, provider }: ShownProps) {
  const { provider: say } = useChapter("ways");
  const opening = useOpening();
  const isOpen = opening.isOpen.value;
  if (provider === null && ways.provenCount() === 0) return <p class="soft">{say.needsDomain}</p>;
  return (
    <>
      {provider !== null && !isOpen && (
        <>
          <p>
            <strong>
              <bdi>{provider.issuer}</bdi>
            </strong>{" "}
            <span class="soft">
              <bdi>{provider.client_id}</bdi>
            </span>
          </p>
          <Copyable label={say.redirect} text={ways.callback()} />
          <Copyable label={say.start} text={provider.start} />
        </>
      )}
      <OpeningForm
        opening={opening}
        label={provider === null ? say.set : say.change}
        onOpen={() => void (ways.outcome.value = "")}
      >
        <ProviderForm ways={ways} provider={provider} onDone={opening.close} />
      </OpeningForm>
      {provider !== null && !isOpen && <Endings ways={ways} provider={provider} />}
    </>
  );
}

function ProviderForm({ ways, provider, onDone }: ShownProps & { readonly onDone: () => void }) {
  const { client, proof } = useAccount();
  const { provider: say, refusals } = useChapter("ways");
  const form = useForm({
    id: "provider",
    fields: [
      {
        name: "issuer",
        label: say.issuer,
        says: { domain_required: refusals.domain_required, invalid_url: say.issuerFault },
      },
      { name: "client_id", label: say.clientId },
      { name: "client_secret", label: say.secret },
    ],
    blame: { domain_required: "issuer" },
    send: (valueOf) =>
      proof.prove(() =>
        client.setProvider(ways.id, {
          issuer: valueOf("issuer").trim(),
          client_id: valueOf("client_id").trim(),
          client_secret: valueOf("client_secret"),
          enforced: valueOf("enforced") !== "",
        }),
      ),
    done(answer) {
      onDone();
      ways.provider.set(answer.provider);
      ways.outcome.value = say.saved;
    },
  });
  return (
    <InnerForm form={form} submit={say.submit} onCancel={onDone} lead={say.lead}>
      <Copyable label={say.redirect} text={ways.callback()} />
      <Field
        form={form}
        name="issuer"
        autocomplete="off"
        maxLength={512}
        hint={say.issuerHint}
        isFirst
        {...(provider !== null && { value: provider.issuer })}
      />
      <Field
        form={form}
        name="client_id"
        autocomplete="off"
        maxLength={512}
        {...(provider !== null && { value: provider.client_id })}
      />
      <PasswordField form={form} name="client_secret" autocomplete="new-password" hint={say.secretHint} />
      <div class="field">
        <Check name="enforced" label={say.enforced} isChecked={provider?.enforced === true} />
        <p class="hint">{say.enforcedMeans}</p>
      </div>
    </InnerForm>
  );
}

/** What ends something, last. */
function Endings({ ways, provider }: { readonly ways: Ways; readonly provider: OrganizationProvider }) {
  const { words, client } = useAccount();
  const { remove, provider: say } = useChapter("ways");
  const [removing, signingOut] = [useOpening(), useOpening()];
  const { cancel } = words.value.acts;
  return (
    <div class="buttons">
      {provider.enforced && <Button onClick={signingOut.open}>{say.signOut}</Button>}
      <Button kind="danger" onClick={removing.open}>
        {remove}
      </Button>
      {signingOut.isOpen.value && (
        <Question
          title={say.signOutTitle}
          submit={say.signOut}
          cancel={cancel}
          ask={() => client.signMembersOut(ways.id)}
          onDone={() => void (ways.outcome.value = say.signedOut)}
          onClose={signingOut.close}
        >
          <p>{say.signOutMeans}</p>
        </Question>
      )}
      {removing.isOpen.value && (
        <Question
          title={say.removeTitle}
          submit={remove}
          cancel={cancel}
          ask={() => client.removeProvider(ways.id)}
          onDone={() => {
            ways.provider.set(null);
            ways.outcome.value = say.removed;
          }}
          onClose={removing.close}
        >
          <p>{say.removeMeans}</p>
        </Question>
      )}
    </div>
  );
}

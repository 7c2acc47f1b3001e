import { useAccount } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Button, PageForm } from "../../parts/form.tsx";
import { Page } from "../../parts/page.tsx";
import { TermsField, useTerms } from "../../parts/terms.tsx";

/** Asks somebody who has just signed in for terms that they have not accepted yet. Nothing depends on it: they may go on without. */
export function TermsStep() {
  const { words, client, router } = useAccount();
  const { due } = words.value.terms;
  const terms = useTerms();
  const form = useForm({
    fields: terms.fields,
    blame: terms.blame,
    send: (valueOf) => client.updateProfile(terms.accepted(valueOf)),
    done: () => router.goOn(),
  });
  return (
    <Page title={due.title}>
      <p>{due.lead}</p>
      <PageForm form={form} submit={due.submit}>
        <TermsField form={form} />
      </PageForm>
      <Button onClick={() => router.goOn()}>{due.later}</Button>
    </Page>
  );
}

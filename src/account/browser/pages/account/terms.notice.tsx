import { useSignal } from "@preact/signals";
import { useAccount } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Notice, Outcome } from "../../parts/blocks.tsx";
import { InnerForm } from "../../parts/form.tsx";
import { TermsField, useTerms } from "../../parts/terms.tsx";
import type { SectionProps } from "./section.tsx";

/** Asks for terms that the person has not accepted yet. Nothing depends on it. */
export function TermsNotice({ holdings }: Pick<SectionProps, "holdings">) {
  const { words } = useAccount();
  const isDone = useSignal(false);
  const { termsDue } = holdings;
  return (
    <>
      {termsDue.value !== null && (
        <Accepting
          onDone={() => {
            termsDue.value = null;
            isDone.value = true;
          }}
        />
      )}
      <Outcome text={isDone.value ? words.value.terms.due.done : undefined} />
    </>
  );
}

function Accepting({ onDone }: { readonly onDone: () => void }) {
  const { words, client } = useAccount();
  const { due } = words.value.terms;
  const terms = useTerms();
  const form = useForm({
    fields: terms.fields,
    blame: terms.blame,
    send: (valueOf) => client.updateProfile(terms.accepted(valueOf)),
    done: onDone,
  });
  return (
    <Notice>
      <p>
        <strong>{due.title}</strong>
      </p>
      <InnerForm form={form} lead={due.lead} submit={due.accept}>
        <TermsField form={form} />
      </InnerForm>
    </Notice>
  );
}

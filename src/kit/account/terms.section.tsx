/** @jsxImportSource #html */
import type { Terms } from "../../account/shared/terms.ts";
import { Form } from "../../http/pages/parts/form.tsx";
import { TermsField } from "../sign.in/parts.tsx";
import { accountPath, type AccountContext } from "./context.ts";
import { viewOf } from "./form.tsx";
import { Section } from "./section.tsx";

interface TermsProps {
  readonly context: AccountContext;
  readonly termsDue: string | null;
  readonly terms: Terms;
}

/** Asks for terms that the person has not accepted yet. Nothing waits for it. */
export const TermsSection = ({ context, termsDue, terms }: TermsProps) => {
  if (termsDue === null) return null;
  const { title, lead, accept } = context.speech.words.terms.due;
  return (
    <div class="group card">
      <Section id="terms" title={title} state={lead}>
        <Form action={context.href(`${accountPath}/terms`)} token={context.token}>
          <TermsField view={viewOf(context)} terms={terms} />
          <button class="primary">{accept}</button>
        </Form>
      </Section>
    </div>
  );
};

import { around } from "../../../words/message.ts";
import { beginningUpper } from "../../shared/in.words.ts";
import { useAccount } from "../context.ts";
import type { FormField, FormState } from "../form.ts";

const name = "accepted_terms";

/** Returns the field by which a person accepts the terms, and what the form sends of it; nothing of both where nobody asks. */
export function useTerms() {
  const { settings, words } = useAccount();
  const { faults, terms } = words.value;
  const field: FormField<typeof name> = { name, label: terms.terms, says: { required: faults.terms_required } };
  const isAsked = settings.terms.version !== undefined;
  return {
    fields: isAsked ? [field] : [],
    blame: { terms_required: name } as const,
    accepted: (valueOf: (field: string) => string) => (isAsked ? { [name]: valueOf(name) } : {}),
  };
}

interface DocumentProps {
  readonly href: string;
  readonly children: string;
}

/** A link to a document. What was typed into the form stays there while the document is read. */
const Document = ({ href, children }: DocumentProps) => (
  <a href={href} target="_blank" rel="noopener">
    {children}
  </a>
);

function Sentence({ url }: { readonly url: string }) {
  const { settings, words } = useAccount();
  const { accept, acceptBoth, terms, privacy } = words.value.terms;
  const { privacyUrl } = settings.terms;
  const own = <Document href={url}>{terms}</Document>;
  if (privacyUrl === undefined) return <span>{around(accept, { terms: own })}</span>;
  return <span>{around(acceptBoth, { terms: own, privacy: <Document href={privacyUrl}>{privacy}</Document> })}</span>;
}

interface TermsFieldProps<Name extends string> {
  readonly form: FormState<Name | typeof name>;
}

/** The box by which a person accepts the terms; where nobody asks for that, links to what there is to read. */
export function TermsField<Name extends string>({ form }: TermsFieldProps<Name>) {
  const { version, url } = useAccount().settings.terms;
  if (version === undefined || url === undefined) return <Documents />;
  const error = form.errorOf(name);
  const id = form.idOf(name);
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          id={id}
          name={name}
          value={version}
          required
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-below`}
          onInput={() => form.edited(name)}
        />
        <Sentence url={url} />
      </label>
      <p id={`${id}-below`} class="error" aria-live="polite">
        {error}
      </p>
    </div>
  );
}

/** Links to the terms and the privacy policy. */
function Documents() {
  const { settings, words } = useAccount();
  const { terms, privacy } = words.value.terms;
  const { url, privacyUrl } = settings.terms;
  const links = [
    [url, terms],
    [privacyUrl, privacy],
  ] as const;
  const there = links.flatMap(([href, text]) => (href === undefined ? [] : [{ href, text }]));
  if (there.length === 0) return null;
  return (
    <p class="row soft">
      {there.map(({ href, text }) => (
        <Document key={text} href={href}>
          {beginningUpper(text)}
        </Document>
      ))}
    </p>
  );
}

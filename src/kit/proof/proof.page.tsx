/** @jsxImportSource #html */
import { faultInWords } from "../../account/shared/in.words.ts";
import type { FactorName } from "../../auth/index.ts";
import { second } from "../../core/clock.ts";
import type { AppError } from "../../core/errors.ts";
import { Field, Form, Hidden, Notice } from "../../http/pages/parts/form.tsx";
import type { PersonContext } from "../frame/context.ts";
import { CardPage } from "../frame/parts.tsx";
import { CodeField, PasskeyAnswer } from "./factor.forms.tsx";

/** The fields of a proof. No other form of a page uses these names, except the form that makes a passkey. */
const proofFields: ReadonlySet<string> = new Set(["current_password", "method", "code", "credential", "username"]);
/** The field that names the preferred way of proof. */
const wayField = "proof_by";

type Way = "password" | FactorName;

/** The sign-in page that asks even a signed-in person for a proof, and leads back. */
export const signInAgain = (href: (path: string) => string, back: string): string =>
  `${href("/login")}?reauthenticate=true&next=${encodeURIComponent(href(back))}`;

/** Whether a form carries a proof. */
export const isProof = (form: URLSearchParams): boolean => form.has("current_password") || form.has("method");

/** Says why a new proof was refused; undefined where none has been given yet. */
export function proofError(
  { reason, retryAfterSeconds }: AppError,
  { times, speech: { words, kit } }: Pick<PersonContext, "times" | "speech">,
): string | undefined {
  if (reason === "reauthentication_required") return undefined;
  if (retryAfterSeconds !== undefined) {
    const time = times.briefly(times.now + retryAfterSeconds * second);
    return kit.proof.wait({ time, zone: times.zone });
  }
  if (reason === "invalid_code") return words.refusals.invalid_code;
  const code = reason === "invalid_payload" ? "required" : "wrong_password";
  return faultInWords(words, code, words.acts.currentPassword);
}

interface ProofPageProps {
  readonly context: PersonContext;
  /** The path and the content of the act's form, which are sent again with the proof. */
  readonly action: string;
  readonly form: URLSearchParams;
  /** The page with the form of the act. */
  readonly back: string;
  readonly error?: string | undefined;
  /** Whether the account has a second factor, even one that can't be used here. */
  readonly hasFactor: boolean;
  readonly hasPassword: boolean;
  /** The second factors that can be used here. */
  readonly methods: readonly FactorName[];
  readonly passkeyOptions: unknown;
}

/**
 * Returns the ways to give a proof. Where the account has a second factor, a password is enough only in a session that a second factor has
 * opened. No way is left where the account only has passkeys of another address.
 */
const waysOf = ({ context: { viewer }, hasFactor, hasPassword, methods }: ProofPageProps): readonly Way[] =>
  !hasPassword || (hasFactor && viewer.session.factor === null) ? methods : ["password", ...methods];

interface PasswordProps {
  readonly username: string;
  readonly label: string;
  readonly error: string | undefined;
}

const Password = ({ username, label, error }: PasswordProps) => (
  <>
    <input
      class="unseen"
      type="text"
      name="username"
      value={username}
      autocomplete="username"
      tabindex={-1}
      aria-hidden="true"
      readonly
    />
    <Field
      name="current_password"
      label={label}
      type="password"
      autocomplete="current-password"
      autofocus
      error={error}
    />
  </>
);

const Asked = ({ way, error, passkeyOptions, hidden, ...props }: ProofPageProps & { way: Way; hidden: Fields }) => {
  const { context, action } = props;
  const { href, token, viewer, speech } = context;
  const { words, kit } = speech;
  if (way === "passkey")
    return (
      <PasskeyAnswer
        action={href(action)}
        token={token}
        options={passkeyOptions}
        fields={[...hidden, ["method", way]]}
        words={words}
      >
        {error !== undefined && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
      </PasskeyAnswer>
    );
  return (
    <Form action={href(action)} token={token}>
      <Hidden fields={way === "password" ? hidden : [...hidden, ["method", way]]} />
      {way === "password" ? (
        <Password username={viewer.session.username} label={words.fields.password} error={error} />
      ) : (
        <CodeField method={way} label={words.factors.ways[way].label} error={error} />
      )}
      <button class="primary">{kit.proof.submit}</button>
    </Form>
  );
};

/** Follows where there is nothing to prove with on this page: all passkeys are of another address, or there is no password. */
const NoWay = ({ context: { href, product, speech }, hasFactor, back }: ProofPageProps) => {
  const { acts, factors } = speech.words;
  const { title, elsewhere, help } = factors.stuck;
  if (hasFactor)
    return (
      <Notice kind="warning">
        <p>
          <strong>{title}</strong>
        </p>
        <p>{elsewhere({ product })}</p>
        <p>{help({ product })}</p>
      </Notice>
    );
  return (
    <>
      <p>{acts.proof.byProvider}</p>
      <a class="button primary" href={signInAgain(href, back)}>
        {factors.challenge.over.submit}
      </a>
    </>
  );
};

type Fields = readonly (readonly [name: string, value: string])[];

/** Asks for a proof before an act that would hurt in other hands, and then goes on with the act. Nothing is stored meanwhile. */
export const ProofPage = (props: ProofPageProps) => {
  const { context, action, form, back } = props;
  const { href, token, speech } = context;
  const { factors } = speech.words;
  const { proof } = speech.kit;
  const ways = waysOf(props);
  const wanted = form.get(wayField) ?? form.get("method");
  const way = ways.find((each) => each === wanted) ?? ways[0];
  const typed = [...form].filter(([name]) => !proofFields.has(name) && name !== "csrf" && name !== wayField);
  return (
    <CardPage context={context} title={proof.title} subtitle={proof.lead} cancel={back}>
      {way === undefined ? <NoWay {...props} /> : <Asked {...props} way={way} hidden={[...typed, [wayField, way]]} />}
      {ways
        .filter((each) => each !== way)
        .map((other) => (
          <Form key={other} action={href(action)} token={token} class="aside">
            <Hidden fields={[...typed, [wayField, other]]} />
            <button class="link">{factors.ways[other].name}</button>
          </Form>
        ))}
    </CardPage>
  );
};

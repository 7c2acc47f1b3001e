/** @jsxImportSource #html */
import { AppError } from "../../core/errors.ts";
import type { Children, Html } from "../../http/pages/jsx-runtime.ts";
import { Field, Form } from "../../http/pages/parts/form.tsx";
import { CardPage } from "../frame/parts.tsx";
import type { Outcome } from "../pages.ts";
import { errorOf, Refusal } from "../sign.in/parts.tsx";
import type { FormView } from "../sign.in/view.ts";
import { accountPath, type AccountContext } from "./context.ts";

export interface FormPageProps {
  readonly context: AccountContext;
  readonly view: FormView;
}

/** Returns what a form knows that nobody has sent yet, or that comes back. */
export const viewOf = (
  { speech, times, requestId }: AccountContext,
  typed = new URLSearchParams(),
  refusal?: AppError,
): FormView => ({ words: speech.words, ownWords: speech.entry, typed, refusal, requestId, now: times.now });

/** Does the work of a form. Where it is refused, its page comes back with the typed text. A session that has ended is not a fault of the form. */
export async function orAgain(
  context: AccountContext,
  form: URLSearchParams,
  page: (props: FormPageProps) => Html,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.reason === "unauthorized") throw error;
    if (error.retryAfterSeconds !== undefined) context.head.headers["retry-after"] = String(error.retryAfterSeconds);
    return { page: page({ context, view: viewOf(context, form, error) }), refusal: error };
  }
}

interface FormCardProps extends FormPageProps {
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** The path that the form is posted to. */
  readonly action: string;
  readonly submit: string;
  readonly kind?: "primary" | "danger";
  /** Refusals that a field tells of. */
  readonly blamed?: readonly string[];
  readonly children?: Children;
}

/** A page with one form, which leads back to the account. */
export const FormCard = (props: FormCardProps) => {
  const { context, view, title, subtitle, action, submit, kind = "primary", blamed, children } = props;
  return (
    <CardPage context={context} title={title} subtitle={subtitle} cancel={accountPath}>
      <Refusal view={view} blamed={blamed} />
      <Form action={context.href(action)} token={context.token}>
        {children}
        <button class={kind}>{submit}</button>
      </Form>
    </CardPage>
  );
};

/** Refusals by which a wrong current password is told of. */
export const wrongPassword: readonly string[] = ["invalid_credentials", "reauthentication_required"];

/** Asks for the current password, with the address under which a password manager has it. */
export const CurrentPassword = ({
  context,
  view,
  autofocus = false,
}: FormPageProps & { readonly autofocus?: boolean }) => {
  const { acts, faults } = view.words;
  const isWrong = wrongPassword.some((reason) => reason === view.refusal?.reason);
  return (
    <>
      <input
        class="unseen"
        type="text"
        value={context.user.email}
        autocomplete="username"
        tabindex={-1}
        aria-hidden="true"
        readonly
      />
      <Field
        name="current_password"
        label={acts.currentPassword}
        type="password"
        autocomplete="current-password"
        error={isWrong ? faults.wrong_password : errorOf(view, "current_password", acts.currentPassword)}
        autofocus={autofocus || isWrong}
      />
    </>
  );
};

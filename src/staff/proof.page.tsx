/** @jsxImportSource #html */
import { Field, Form, Hidden } from "../http/pages/form.tsx";
import type { StaffContext } from "./context.ts";
import { StaffPage } from "./page.tsx";

/** The field in which the password is given once more. No form of a page has one of that name besides. */
export const proofField = "current_password";

interface ProofPageProps {
  readonly context: StaffContext;
  /** The act that was asked for, and what was typed for it: it is sent again with the password. */
  readonly action: string;
  readonly form: URLSearchParams;
  /** Where the act was asked for. */
  readonly back: string;
  readonly error?: string | undefined;
}

/** Asks for the password before an act that would hurt in other hands, and goes on with the act. Nothing is stored meanwhile. */
export const ProofPage = ({ context, action, form, back, error }: ProofPageProps) => {
  const { href, token, viewer } = context;
  const typed = [...form].filter(([name]) => name !== proofField && name !== "csrf");
  return (
    <StaffPage context={context} title="Confirm that it is you">
      <div class="card sign-in">
        <hgroup>
          <h1>Confirm that it is you</h1>
          <p class="soft">You gave your password more than ten minutes ago. Give it again to go on.</p>
        </hgroup>
        <Form action={href(action)} token={token}>
          <Hidden fields={typed} />
          <input
            class="unseen"
            type="text"
            name="username"
            value={viewer.session.username}
            autocomplete="username"
            tabindex={-1}
            aria-hidden="true"
            readonly
          />
          <Field
            name={proofField}
            label="Password"
            type="password"
            autocomplete="current-password"
            autofocus
            error={error}
          />
          <button class="primary">Go on</button>
        </Form>
        <p class="aside">
          <a href={href(back)}>Cancel</a>
        </p>
      </div>
    </StaffPage>
  );
};

/** @jsxImportSource #html */
import type { AppError } from "../../core/errors.ts";
import { Field, Form } from "../../http/pages/parts/form.tsx";
import { Page, type PageContext } from "./page.tsx";

interface SignInProps {
  readonly context: PageContext;
  /** The page to show after the sign-in. */
  readonly next: string;
  readonly refusal?: AppError;
}

function inWords({ reason, retryAfterSeconds = 0 }: AppError): string {
  if (reason === "unauthorized") return "That is not the secret.";
  if (retryAfterSeconds === 0) return "That did not work.";
  return `Too many wrong secrets came from this address. Try again in ${Math.ceil(retryAfterSeconds / 60)} min.`;
}

export const SignInPage = ({ context, next, refusal }: SignInProps) => (
  <Page context={context} title="Sign in">
    <Form class="card sign-in" action="/lighthouse/sign-in" token={undefined}>
      <h1>Sign in</h1>
      <input type="hidden" name="next" value={next} />
      <Field
        name="secret"
        label="Secret"
        type="password"
        autocomplete="current-password"
        autofocus
        hint={
          <>
            The <code>LIGHTHOUSE_SECRET</code> of this app.
          </>
        }
        {...(refusal && { error: inWords(refusal) })}
      />
      <button class="primary">Sign in</button>
    </Form>
  </Page>
);

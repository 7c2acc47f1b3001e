/** @jsxImportSource #html */
import type { AppError } from "../../core/errors.ts";
import { Page, type PageContext } from "./page.tsx";

interface RefusalProps {
  readonly context: PageContext;
  readonly refusal: AppError;
  /** The sentence for `not_found`; says that the requested thing is not there. */
  readonly missing: string;
}

function inWords({ reason, message }: AppError, missing: string): string {
  if (reason === "not_found") return missing;
  if (reason === "unauthorized") return "The sign-in has ended. Sign in, and do it again.";
  if (reason === "cross_site_request") return "The form was not of this sign-in. Reload the page, and do it again.";
  return `That did not work: ${message}.`;
}

export const RefusalPage = ({ context, refusal, missing }: RefusalProps) => (
  <Page context={context} title={String(refusal.status)}>
    <h1>{inWords(refusal, missing)}</h1>
    <p>
      <a href="/lighthouse">To the inspects</a> · <a href="/lighthouse/runtime">To the runtime page</a>
    </p>
  </Page>
);

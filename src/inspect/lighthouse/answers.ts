import type { Config } from "../../config/index.ts";
import type { AppError } from "../../core/errors.ts";
import { formOf, toAppError } from "../../http/index.ts";
import { leadTo, showPage, type PageHead } from "../../http/pages/answer.ts";
import type { Html } from "../../http/pages/jsx-runtime.ts";
import type { Log } from "../../observe/index.ts";
import type { LighthouseLook } from "../pages/assets.ts";
import { pageAfterSignIn } from "./next.ts";
import type { Operators } from "./operator.ts";
import type { PageContext } from "../pages/page.tsx";
import { RefusalPage } from "../pages/refusal.page.tsx";
import { SignInPage } from "../pages/sign.in.page.tsx";

interface AnswerOptions {
  readonly config: Pick<Config, "app">;
  readonly look: LighthouseLook;
  readonly operators: Operators;
  readonly log: Log;
}

const signInPath = "/lighthouse/sign-in";

/** Answers requests for pages and requests with forms: by a page, or by a redirect to one. A refusal is a page as well. */
export function createAnswers({ config: { app }, look, operators, log }: AnswerOptions) {
  const contextOf = (token?: string): PageContext => ({ app: app.name, env: app.env, look, token });
  const nextOf = (next: string | null): string => pageAfterSignIn(next, app.url.origin);
  const show = (head: PageHead, page: Html, status?: number): string => showPage(head, page, look.policy, status);

  function refuse(head: PageHead, context: PageContext, error: unknown, missing: string): string {
    const refusal = toAppError(error);
    if (refusal.cause !== undefined) log.error("a lighthouse request failed", { error: refusal.cause });
    return show(head, RefusalPage({ context, refusal, missing }), refusal.status);
  }

  const showSignIn = (head: PageHead, next: string, refusal?: AppError): string =>
    show(head, SignInPage({ context: contextOf(), next, ...(refusal && { refusal }) }), refusal?.status);

  return {
    /** Answers with a page for a signed-in operator. Everybody else is led to the sign-in, and from there back. */
    async page(
      request: Request,
      head: PageHead,
      make: (context: PageContext, search: URLSearchParams) => Promise<Html>,
    ): Promise<string> {
      const { pathname, search, searchParams } = new URL(request.url, app.url);
      const token = operators.formToken(request);
      if (token === undefined) return leadTo(head, `${signInPath}?next=${encodeURIComponent(`${pathname}${search}`)}`);
      const context = contextOf(token);
      try {
        return show(head, await make(context, searchParams));
      } catch (error) {
        return refuse(head, context, error, "There is no such inspect, or it has made room for newer ones.");
      }
    },

    /** Does the work of a form, and leads to the page that `work` resolves to. */
    async form(request: Request, head: PageHead, body: unknown, work: () => Promise<string> | string): Promise<string> {
      try {
        operators.checkForm(request, formOf(body));
        return leadTo(head, await work());
      } catch (error) {
        const missing = "That job is not among the failed ones: it may have been tried again already.";
        return refuse(head, contextOf(operators.formToken(request)), error, missing);
      }
    },

    signInForm(request: Request, head: PageHead): string {
      const next = nextOf(new URL(request.url, app.url).searchParams.get("next"));
      return operators.formToken(request) === undefined ? showSignIn(head, next) : leadTo(head, next);
    },

    signIn(request: Request, head: PageHead, body: unknown): string {
      const form = formOf(body);
      const next = nextOf(form.get("next"));
      try {
        operators.signIn(request, head, form.get("secret") ?? "");
        return leadTo(head, next);
      } catch (error) {
        const refusal = toAppError(error);
        if (refusal.retryAfterSeconds !== undefined) head.headers["retry-after"] = String(refusal.retryAfterSeconds);
        return showSignIn(head, next, refusal);
      }
    },

    /** Returns the page that follows. */
    signOut(request: Request, head: PageHead): string {
      operators.signOut(request, head);
      return signInPath;
    },
  };
}

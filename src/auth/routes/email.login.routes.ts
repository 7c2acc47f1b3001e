import { Elysia } from "elysia";
import { invalidFields } from "../../core/errors.ts";
import { answers, Ok, operation, grouped } from "../../http/index.ts";
import { cookieWords } from "./session/cookies.ts";
import { EmailLoginBody, EmailLoginConfirmBody, emailLoginFaults, passwordRefusals, SignedInUser } from "./schemas.ts";
import { presentUser } from "./user.view.ts";
import type { Parts } from "./parts.ts";

type EmailLoginRouteOptions = Parts<"emailSignIn" | "pressure" | "deliveries" | "mailBrowser" | "clientOf">;

export function emailLoginRoutes(options: EmailLoginRouteOptions) {
  const { emailSignIn, pressure, deliveries, mailBrowser, clientOf } = options;

  return new Elysia(grouped("Sign-in by mail"))
    .post(
      "/email-login/request",
      async ({ body, request, set }) => {
        const client = clientOf(request);
        await pressure.limitAddress("email-login", client);
        const browser = mailBrowser.secretFor(request);
        await emailSignIn.request(body.login, browser, client);
        mailBrowser.keep(set, request, browser);
        return { ok: true as const };
      },
      {
        /** Runs before the body is validated: where this sign-in is off, nothing else is said. */
        transform: () => emailSignIn.requireEnabled(),
        body: EmailLoginBody,
        response: answers(Ok, "email_login_disabled", "rate_limited"),
        detail: operation("requestEmailLogin", {
          summary: "Ask for a mail with a link and a code that sign in",
          description: "The answer does not tell whether the account exists.",
          cookies: { 200: cookieWords.emailLogin },
        }),
      },
    )
    .post(
      "/email-login/confirm",
      async ({ body, request, set }) => {
        const delivery = deliveries.of(set, request, body);
        const client = { ...clientOf(request), ...delivery.known };
        const { token, login = "", code = "", remember = false } = body;
        const missing = emailLoginFaults(body);
        if (Object.keys(missing).length > 0) throw invalidFields(missing);
        await pressure.limitAddress("email-login-confirm", client, { token });
        const signIn =
          token === undefined
            ? await emailSignIn.confirmCode({ login, code, browser: mailBrowser.secretOf(request) }, client, remember)
            : await emailSignIn.confirmToken(token, client, remember);
        const signedIn = delivery.orChallenge(signIn);
        mailBrowser.forget(set, request);
        return { ok: true as const, user: presentUser(signedIn.user), ...delivery.signIn(signedIn) };
      },
      {
        transform: () => emailSignIn.requireEnabled(),
        body: EmailLoginConfirmBody,
        response: answers(
          SignedInUser,
          "denied_by_hook",
          "email_login_disabled",
          "invalid_code",
          "mfa_required",
          "cookies_only",
          "cross_site_session",
          ...passwordRefusals,
        ),
        detail: operation("confirmEmailLogin", {
          summary: "Sign in by the `token` of the mail's link, or by `login` and the mail's `code`",
          description:
            "The link works in any browser, the code in those that asked alone. Wrong codes count as wrong passwords do; a code takes five. The first proof of an address ends what the account held before, its password included.",
          cookies: { 200: cookieWords.signIn, 401: cookieWords.challenge },
        }),
      },
    );
}

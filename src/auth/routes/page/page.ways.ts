import { invalidFields } from "../../../core/errors.ts";
import type { ResponseHead } from "../../../http/index.ts";
import { AcceptInvitationBody, EmailLoginBody, EmailLoginConfirmBody, emailLoginFaults } from "../schemas.ts";
import { signedInUserOf } from "../session/guard.ts";
import { readForm } from "./page.form.ts";
import { hand, type PageSignIn } from "./page.sign.in.ts";
import type { Parts } from "../parts.ts";

export type PageWays = ReturnType<typeof createPageWays>;

/** Serves pages that the server writes about the ways in by a mail: the sign-in by mail, and an invitation. */
export function createPageWays(
  options: Parts<
    "acceptance" | "emailSignIn" | "links" | "sessions" | "pressure" | "cookies" | "mailBrowser" | "clientOf"
  >,
) {
  const { acceptance, emailSignIn, links, sessions, pressure, cookies, mailBrowser, clientOf } = options;

  return {
    /** Asks for a mail that signs in, with the field `login`. Says nothing about whether the account exists. */
    async requestMail(request: Request, head: ResponseHead, form: URLSearchParams): Promise<void> {
      emailSignIn.requireEnabled();
      const client = clientOf(request);
      const { login } = await readForm(EmailLoginBody, form);
      await pressure.limitAddress("email-login", client);
      const secret = mailBrowser.secretFor(request);
      await emailSignIn.request(login, secret, client);
      mailBrowser.keep(head, request, secret);
    },

    /** Signs in by the `token` of the mail's link, or by `login` and the mail's `code`. Throws `invalid_code`. */
    async signInByMail(request: Request, head: ResponseHead, form: URLSearchParams): Promise<PageSignIn> {
      emailSignIn.requireEnabled();
      const client = clientOf(request);
      const fields = await readForm(EmailLoginConfirmBody, form);
      const missing = emailLoginFaults(fields);
      if (Object.keys(missing).length > 0) throw invalidFields(missing);
      const { token, login = "", code = "", remember = false } = fields;
      await pressure.limitAddress("email-login-confirm", client, { token });
      const typed = { login, code, browser: mailBrowser.secretOf(request) };
      const signIn =
        token === undefined
          ? await emailSignIn.confirmCode(typed, client, remember)
          : await emailSignIn.confirmToken(token, client, remember);
      mailBrowser.forget(head, request);
      return hand(cookies, head, request, signIn);
    },

    /** Resolves to whether the link of a mail would sign somebody in now. Redeems nothing. */
    async isGoodMail(request: Request, token: string): Promise<boolean> {
      emailSignIn.requireEnabled();
      await pressure.limitAddress("email-login-confirm", clientOf(request), { token });
      return (await links.inspect("login", token)) !== undefined;
    },

    /** Returns what an invitation is to, and whose account has the invited address. Changes nothing. */
    async showInvitation(request: Request, token: string) {
      await pressure.limitAddress("invitation", clientOf(request), { token });
      const { invitation, account } = await acceptance.show(token, await signedInUserOf(sessions, cookies, request));
      const { email, displayName, inviterDisplayName: inviter, organizationName: organization } = invitation;
      return { email, displayName, inviter, organization, account };
    },

    /** Accepts an invitation: makes the account, or gives the invitation to the account that is signed in. */
    async accept(request: Request, head: ResponseHead, form: URLSearchParams): Promise<void> {
      const client = clientOf(request);
      const fields = await readForm(AcceptInvitationBody, form);
      await pressure.limitAddress("invitation", client, { token: fields.token });
      const userId = await signedInUserOf(sessions, cookies, request);
      const accepting = { ...fields, displayName: fields.display_name, acceptedTerms: fields.accepted_terms };
      const { signedIn } = await acceptance.accept(accepting, { client, userId }, fields.remember ?? false);
      if (signedIn !== undefined) cookies.signIn(head, request, signedIn);
    },
  };
}

import type { AppError } from "../../../core/errors.ts";
import type { ResponseHead } from "../../../http/index.ts";
import type { Client } from "../../client.ts";
import type { CallerRow } from "../../session/session.repository.ts";
import { readRoles } from "../../user/roles.ts";
import { proofOf, requiredAnswerOf } from "../answer.fields.ts";
import { credentialsOf } from "../session/guard.ts";
import { createPageAccounts } from "./page.accounts.ts";
import { parsedCredential, readForm } from "./page.form.ts";
import { hand, type PageSignIn } from "./page.sign.in.ts";
import { LoginBody, ReauthenticateBody, VerifyBody } from "../schemas.ts";
import type { Parts } from "../parts.ts";

export interface Viewer {
  readonly session: CallerRow;
  readonly roles: readonly string[];
  /** Whether a proof was given minutes ago, which acts require that would hurt in other hands. */
  readonly isProven: boolean;
  /** Whether the session may only set up its second factor, which the app requires. */
  readonly isFactorMissing: boolean;
}

type PageAuthOptions = Parameters<typeof createPageAccounts>[0] &
  Parts<"login" | "challenge" | "deliveries" | "reauthentication"> & {
    readonly onRefusal?: ((refusal: AppError) => void) | undefined;
  };

export type PageAuth = ReturnType<typeof createPageAuth>;

/**
 * Serves pages that the server writes, in place of the JSON routes: with the same services, fields, limits and cookies, but by forms. Every
 * refusal is thrown as AppError.
 */
export function createPageAuth(options: PageAuthOptions) {
  const { login, challenge, deliveries, reauthentication, sessions, cookies, clientOf } = options;

  /** Rotates the refresh token of a page load where that is due, since no script of the page does. Otherwise sets a renewed access cookie. */
  async function renew(
    request: Request,
    head: ResponseHead,
    client: Client,
    access: string | undefined,
  ): Promise<void> {
    const isLoad = request.method === "GET";
    const token = isLoad ? await sessions.refreshTokenOf(credentialsOf(request, cookies)) : undefined;
    const issued = await sessions.renew(token, client);
    if (issued !== undefined) cookies.set(head, request, issued);
    else if (access !== undefined) cookies.setAccess(head, request, access);
  }

  return {
    ...createPageAccounts(options),
    clientOf,
    isSecure: cookies.isSecure,

    /** Tells the request's inspect why the request was refused: a page has no code that says so. */
    refused: (refusal: AppError): void => options.onRefusal?.(refusal),

    /** Returns the viewer; undefined where nobody is signed in. Session, roles and time zone are one read. */
    async viewerOf(request: Request, head: ResponseHead): Promise<Viewer | undefined> {
      const client = clientOf(request);
      const authenticated = await sessions.identify(credentialsOf(request, cookies));
      if ("refused" in authenticated) {
        if (authenticated.refused === "refresh_hash_mismatch") await renew(request, head, client, undefined);
        return undefined;
      }
      const { session, reissuedAccess } = authenticated;
      if (reissuedAccess !== undefined) await renew(request, head, client, reissuedAccess);
      return {
        session,
        roles: readRoles(session.roles),
        isProven: sessions.isFresh(session.provedAt),
        isFactorMissing: sessions.isFactorMissing(session),
      };
    },

    /** Returns the id of the session whose cookies a request has; its cookies stay as they are, so that no hook is asked. */
    async sessionIdOf(request: Request): Promise<string | undefined> {
      const recognized = await sessions.recognize(credentialsOf(request, cookies));
      return "refused" in recognized ? undefined : recognized.session.id;
    },

    async signIn(request: Request, head: ResponseHead, form: URLSearchParams): Promise<PageSignIn> {
      const client = clientOf(request);
      const { login: name, password, remember = false } = await readForm(LoginBody, form);
      return hand(cookies, head, request, await login.login(name, password, client, remember));
    },

    /** Returns what can answer the challenge of this browser. Throws `invalid_challenge`. */
    challenge: (request: Request, id: string) => challenge.describe(deliveries.shownByCookie(request, id)),

    /** Takes the second step of a sign-in, with the fields `challenge`, `method`, and `code` or `credential` (JSON as text). */
    async answerChallenge(request: Request, head: ResponseHead, form: URLSearchParams): Promise<void> {
      const client = clientOf(request);
      const body = await readForm(VerifyBody, form, parsedCredential);
      const shown = deliveries.shownByCookie(request, body.challenge);
      cookies.signIn(head, request, await challenge.verify(shown, requiredAnswerOf(body), client));
    },

    /** Returns the second factors that can prove a viewer, and what a browser needs to ask for a passkey. */
    proofOptions: ({ session }: Viewer) => reauthentication.prepare(session),

    /**
     * Takes the password once more, in the field `current_password`, or a second factor with the fields of `answerChallenge`. The session
     * then has a fresh proof. Throws `reauthentication_required` for a password where only a factor will do.
     */
    async prove(request: Request, { session }: Viewer, form: URLSearchParams): Promise<void> {
      const client = clientOf(request);
      const body = await readForm(ReauthenticateBody, form, parsedCredential);
      const proof = proofOf(body);
      if ("password" in proof) await reauthentication.confirm(session, proof.password, client, "invalid_credentials");
      else await reauthentication.confirmByFactor(session, proof, client);
    },

    /** Ends every session whose cookie was sent, and clears the cookies. */
    async signOut(request: Request, head: ResponseHead): Promise<void> {
      const client = clientOf(request);
      const credentials = credentialsOf(request, cookies);
      const open = await sessions.allServing(credentials, await sessions.recognize(credentials));
      // The cookies are cleared only after the sessions have ended: a person who can't be logged out now must be able to try again.
      await sessions.end(open, client);
      cookies.clear(head, request);
    },
  };
}

import type { Added } from "../../flow/added.ts";
import { AppError } from "../../../core/errors.ts";
import { bodyOf, type ResponseHead } from "../../../http/index.ts";
import type { Client, ClientOf } from "../../client.ts";
import type { ChallengeService } from "../../flow/factor/challenge.service.ts";
import type { LoginService } from "../../flow/login.service.ts";
import type { PasswordService } from "../../flow/password.service.ts";
import type { ReauthenticationService } from "../../flow/reauthentication.service.ts";
import type { RegistrationService } from "../../flow/registration.service.ts";
import type { VerificationService } from "../../flow/verification.service.ts";
import type { Pressure } from "../../pressure/pressure.ts";
import type { CallerRow } from "../../session/session.repository.ts";
import type { SessionService } from "../../session/session.service.ts";
import { readRoles } from "../../user/roles.ts";
import { proofOf, requiredAnswerOf } from "../answer.fields.ts";
import type { AuthCookies } from "../cookies.ts";
import type { Deliveries } from "../delivery.ts";
import { credentialsOf, signedInUserOf } from "../guard.ts";
import { parsedCredential, readForm } from "./page.form.ts";
import {
  LoginBody,
  ReauthenticateBody,
  RegisterFields,
  ResetConfirmBody,
  ResetRequestBody,
  TokenBody,
  VerifyBody,
} from "../schemas.ts";

/** The signed-in person who looks at a page. */
export interface Viewer {
  readonly session: CallerRow;
  readonly roles: readonly string[];
  /** Whether a proof was given minutes ago, which acts require that would hurt in other hands. */
  readonly isProven: boolean;
  /** Whether the session may only set up its second factor, which the app requires. */
  readonly isFactorMissing: boolean;
}

/** The result of a sign-in. With a challenge the browser has got its cookie, and a second factor is asked for. */
export type PageSignIn =
  | { readonly outcome: "signed_in" }
  | { readonly outcome: "challenged"; readonly challenge: string };

interface PageAuthOptions {
  readonly login: LoginService;
  readonly challenge: ChallengeService;
  readonly deliveries: Deliveries;
  readonly registration: RegistrationService;
  readonly reauthentication: ReauthenticationService;
  readonly sessions: SessionService;
  readonly passwords: PasswordService;
  readonly verification: VerificationService;
  readonly pressure: Pressure;
  readonly cookies: AuthCookies;
  readonly clientOf: ClientOf;
  readonly onRefusal?: ((refusal: AppError) => void) | undefined;
}

export type PageAuth = ReturnType<typeof createPageAuth>;

/**
 * Serves pages that the server writes, in place of the JSON routes: with the same services, fields, limits and cookies, but by forms. Every
 * refusal is thrown as AppError.
 */
export function createPageAuth(options: PageAuthOptions) {
  const {
    login,
    challenge,
    deliveries,
    registration,
    reauthentication,
    sessions,
    passwords,
    verification,
    pressure,
    cookies,
    clientOf,
  } = options;
  const RegisterBody = bodyOf(RegisterFields, {}, registration.faults);

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

    async signIn(request: Request, head: ResponseHead, form: URLSearchParams): Promise<PageSignIn> {
      const origin = { client: clientOf(request), devices: cookies.devicesOf(request) };
      const { login: name, password, remember = false } = await readForm(LoginBody, form);
      const signIn = await login.login(name, password, origin, remember);
      if ("challenge" in signIn) {
        cookies.setChallenge(head, request, signIn.challenge);
        return { outcome: "challenged", challenge: signIn.challenge.id };
      }
      cookies.signIn(head, request, signIn);
      return { outcome: "signed_in" };
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

    /** Throws `registration_closed`. */
    requireRegistration: (): void => registration.requireOpen(),

    /** Resolves to whether the newcomer is signed in; otherwise a mail is on its way that comes first. */
    async register(request: Request, head: ResponseHead, form: URLSearchParams): Promise<boolean> {
      const client = clientOf(request);
      registration.requireOpen();
      const fields = await readForm(RegisterBody, form);
      await pressure.limitAddress("register", client);
      const newcomer = { ...fields, displayName: fields.display_name };
      const signedIn = await registration.register(newcomer, client, fields.remember ?? false);
      if (signedIn !== undefined) cookies.signIn(head, request, signedIn);
      return signedIn !== undefined;
    },

    /** Resolves to the token where it is answered instead of mailed. */
    async requestReset(request: Request, form: URLSearchParams): Promise<string | undefined> {
      const client = clientOf(request);
      const { login: name } = await readForm(ResetRequestBody, form);
      await pressure.limitAddress("password-reset", client);
      return passwords.requestReset(name, client);
    },

    /** Returns what the reset by this token removes unless it is kept: nothing where the token is of no use. */
    async inspectReset(request: Request, token: string): Promise<readonly Added[]> {
      await pressure.limitAddress("password-reset-confirm", clientOf(request), { token });
      try {
        return await passwords.inspectReset(token);
      } catch (error) {
        if (error instanceof AppError && error.reason === "invalid_reset_token") return [];
        throw error;
      }
    },

    async confirmReset(request: Request, head: ResponseHead, form: URLSearchParams): Promise<void> {
      const client = clientOf(request);
      const keep = () => ({ keep: form.getAll("keep") });
      const { token, new_password: password, keep: kept } = await readForm(ResetConfirmBody, form, keep);
      await pressure.limitAddress("password-reset-confirm", client, { token });
      await passwords.confirmReset(token, password, client, kept);
      cookies.clear(head, request);
    },

    /** Resolves to the address that is proven now. */
    async confirmAddress(request: Request, form: URLSearchParams): Promise<string> {
      const client = clientOf(request);
      const { token } = await readForm(TokenBody, form);
      await pressure.limitAddress("email-verification-confirm", client, { token });
      const signedIn = await signedInUserOf(sessions, cookies, request);
      return (await verification.confirm(token, client, signedIn)).email;
    },

    async rejectAddress(request: Request, form: URLSearchParams): Promise<void> {
      const client = clientOf(request);
      const { token } = await readForm(TokenBody, form);
      await pressure.limitAddress("email-verification-confirm", client, { token });
      await verification.reject(token, client);
    },

    async takeBack(request: Request, form: URLSearchParams): Promise<void> {
      const client = clientOf(request);
      const { token } = await readForm(TokenBody, form);
      await pressure.limitAddress("email-verification-confirm", client, { token });
      await verification.takeBack(token, client);
    },

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
      const open = await sessions.allServing(credentials, await sessions.authenticate(credentials));
      // The cookies are cleared only after the sessions have ended: a person who can't be logged out now must be able to try again.
      await sessions.end(open, client);
      cookies.clear(head, request);
    },
  };
}

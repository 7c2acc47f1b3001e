import { AppError } from "../../../core/errors.ts";
import { bodyOf, type ResponseHead } from "../../../http/index.ts";
import type { ClientOf } from "../../client.ts";
import type { Added } from "../../flow/eviction/added.ts";
import type { PasswordService } from "../../flow/password.service.ts";
import type { RegistrationService } from "../../flow/registration.service.ts";
import type { VerificationService } from "../../flow/verification.service.ts";
import type { Pressure } from "../../pressure/pressure.ts";
import type { SessionService } from "../../session/session.service.ts";
import type { AuthCookies } from "../session/cookies.ts";
import { signedInUserOf } from "../session/guard.ts";
import { RegisterFields, ResetConfirmBody, ResetRequestBody, TokenBody } from "../schemas.ts";
import { readForm } from "./page.form.ts";

export interface PageAccountOptions {
  readonly registration: RegistrationService;
  readonly sessions: SessionService;
  readonly passwords: PasswordService;
  readonly verification: VerificationService;
  readonly pressure: Pressure;
  readonly cookies: AuthCookies;
  readonly clientOf: ClientOf;
}

/** What pages for people who are not signed in do to an account: make one, and redeem the token of a mail. */
export function createPageAccounts(options: PageAccountOptions) {
  const { registration, sessions, passwords, verification, pressure, cookies, clientOf } = options;
  const RegisterBody = bodyOf(RegisterFields, {}, registration.faults);

  return {
    /** Throws `registration_closed`. */
    requireRegistration: (): void => registration.requireOpen(),

    /** Resolves to whether the newcomer is signed in; else a mail is on its way that comes first. */
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

    /** What the reset by this token removes unless it is kept: nothing where the token is of no use. */
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
  };
}

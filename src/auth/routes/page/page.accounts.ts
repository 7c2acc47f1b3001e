import { AppError } from "../../../core/errors.ts";
import { bodyOf, type ResponseHead } from "../../../http/index.ts";
import type { InspectedReset } from "../../flow/password.service.ts";
import { signedInUserOf } from "../session/guard.ts";
import { RegisterFields, ResetConfirmBody, ResetRequestBody, TokenBody } from "../schemas.ts";
import { readForm } from "./page.form.ts";
import type { Parts } from "../parts.ts";

/** What pages for people who are not signed in do to an account: make one, and redeem the token of a mail. */
export function createPageAccounts(
  options: Parts<
    "registration" | "sessions" | "passwords" | "verification" | "links" | "pressure" | "cookies" | "clientOf"
  >,
) {
  const { registration, sessions, passwords, verification, links, pressure, cookies, clientOf } = options;
  const RegisterBody = bodyOf(RegisterFields, {}, registration.faults);

  /** Reads the token of a mail about an address, and charges its bearer. */
  async function bearerOf(request: Request, form: URLSearchParams) {
    const client = clientOf(request);
    const { token } = await readForm(TokenBody, form);
    await pressure.limitAddress("email-verification-confirm", client, { token });
    return { token, client };
  }

  return {
    requireRegistration: (): void => registration.requireOpen(),

    /** Resolves to whether the newcomer is signed in; else a mail is on its way that comes first. */
    async register(request: Request, head: ResponseHead, form: URLSearchParams): Promise<boolean> {
      const client = clientOf(request);
      registration.requireOpen();
      const fields = await readForm(RegisterBody, form);
      await pressure.limitAddress("register", client);
      const newcomer = { ...fields, displayName: fields.display_name, acceptedTerms: fields.accepted_terms };
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

    /** Resolves to undefined where the token is of no use. */
    async inspectReset(request: Request, token: string): Promise<InspectedReset | undefined> {
      await pressure.limitAddress("password-reset-confirm", clientOf(request), { token });
      try {
        return await passwords.inspectReset(token);
      } catch (error) {
        if (error instanceof AppError && error.reason === "invalid_reset_token") return undefined;
        throw error;
      }
    },

    /** Ends the session that a mail tells of. Its token stays good for a new password. */
    async rejectSignIn(request: Request, form: URLSearchParams): Promise<void> {
      const client = clientOf(request);
      const { token } = await readForm(TokenBody, form);
      await pressure.limitAddress("password-reset-confirm", client, { token });
      await passwords.rejectSignIn(token, client);
    },

    async confirmReset(request: Request, head: ResponseHead, form: URLSearchParams): Promise<void> {
      const client = clientOf(request);
      const keep = () => ({ keep: form.getAll("keep") });
      const { token, new_password: password, keep: kept } = await readForm(ResetConfirmBody, form, keep);
      await pressure.limitAddress("password-reset-confirm", client, { token });
      await passwords.confirmReset(token, password, client, kept);
      cookies.clear(head, request);
    },

    /** Resolves to whether the link of a mail about an address would do something now. Redeems nothing. */
    async isGoodLink(request: Request, name: "verification" | "change", token: string): Promise<boolean> {
      await pressure.limitAddress("email-verification-confirm", clientOf(request), { token });
      return (await links.inspect(name, token)) !== undefined;
    },

    /** Resolves to the address that is proven now. */
    async confirmAddress(request: Request, form: URLSearchParams): Promise<string> {
      const { token, client } = await bearerOf(request, form);
      const signedIn = await signedInUserOf(sessions, cookies, request);
      return (await verification.confirm(token, client, signedIn)).email;
    },

    async rejectAddress(request: Request, form: URLSearchParams): Promise<void> {
      const { token, client } = await bearerOf(request, form);
      await verification.reject(token, client);
    },

    async takeBack(request: Request, form: URLSearchParams): Promise<void> {
      const { token, client } = await bearerOf(request, form);
      await verification.takeBack(token, client);
    },
  };
}

import type { PasswordRules } from "../../core/people/password.rules.ts";

/** What the account pages need to know of the app. The server writes it into the page, so that asking costs no request. */
export interface Settings {
  /** What people call the product. */
  readonly product: string;
  /** The address of its picture, which stands above its name. */
  readonly logo?: string;
  /** The path of APP_URL, without a slash at its end: the app may be one of several under a host. */
  readonly base: string;
  /** Other origins that a sign-in may lead back to. */
  readonly origins: readonly string[];
  /** The providers that can be signed in with, by the name in their routes. */
  readonly providers: readonly {
    readonly name: string;
    /** What people call it. */
    readonly label: string;
    /** `openid`: none of the four, so that there is no mark for it. */
    readonly kind: "github" | "google" | "microsoft" | "apple" | "openid";
  }[];
  readonly password: PasswordRules;
  readonly registration: {
    readonly isOpen: boolean;
    /** Whether a new account signs in only once its address is verified. */
    readonly verifiesAddress: boolean;
  };
  /** Whose passkeys are used here: this host, or a domain above it. */
  readonly passkeyDomain: string;
  /** Whether a session without a second factor may only set one up. */
  readonly mfaRequired: boolean;
  /** How long a mail works that signs in; undefined where nobody signs in by mail. */
  readonly mailSignIn?: { readonly ttlMs: number };
  /** How long the links of mails work. */
  readonly links: { readonly resetMs: number; readonly verificationMs: number };
}

/** Every path at which the server sends the page; what is shown there is the browser's business. */
export const paths = [
  "/login",
  "/register",
  "/forgot-password",
  "/reset-password",
  "/verify-email",
  "/undo-email-change",
  "/accept-invitation",
  "/email-login",
  "/account",
] as const;

export type Path = (typeof paths)[number];

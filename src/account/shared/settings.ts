import type { AllowedOrigins } from "../../core/address/origins.ts";
import type { PasswordRules } from "../../core/people/password.rules.ts";
import type { KnownProvider } from "../../core/people/providers.ts";
import type { Terms } from "./terms.ts";

/** Settings of the app for the account pages. The server writes them into the page, which saves a request. */
export interface Settings {
  /** The name of the product for people. */
  readonly product: string;
  /** Where the product leads. */
  readonly home: string;
  readonly logo?: {
    readonly href: string;
    /** The picture for dark pages; absent where one does for both. */
    readonly dark?: string;
    /** Whether the picture holds the product's name. */
    readonly hasName: boolean;
  };
  /** The path of APP_URL, without a slash at its end: the app may be one of several under a host. */
  readonly base: string;
  /** The languages of the pages (BCP 47). */
  readonly languages: readonly string[];
  /** Other origins that a sign-in may lead back to. */
  readonly origins: AllowedOrigins;
  /** The providers for signing in, by the name in their routes. */
  readonly providers: readonly {
    readonly name: string;
    /** The provider's name for people. */
    readonly label: string;
    /** `openid`: a provider that is not known here, which has no mark of its own. */
    readonly kind: KnownProvider | "openid";
  }[];
  /** The ways to sign in that the page offers, in their order: `password`, `passkey`, `email` or `provider:<name>`. */
  readonly ways: readonly string[];
  readonly password: PasswordRules;
  readonly registration: {
    readonly isOpen: boolean;
    /** Whether a new account signs in only once its address is verified. */
    readonly verifiesAddress: boolean;
  };
  /** What people accept when they register. Without a version, pages only link to it. */
  readonly terms: Terms;
  /** The domain of the passkeys in use: this host, or a domain above it. */
  readonly passkeyDomain: string;
  /** Origins of other domains whose pages use the same passkeys, in browsers that ask for this list. */
  readonly relatedOrigins: readonly string[];
  /** Whether people with passkeys may take the password off their account. */
  readonly passwordless?: true;
  /** Whether a session without a second factor may only set one up. */
  readonly mfaRequired: boolean;
  /** Whether people make tokens for their own scripts. */
  readonly personalTokens: boolean;
  /** Whether staff may look at a person's account in their name. */
  readonly impersonation?: true;
  /** Whether other programs sign people in by their accounts here. */
  readonly apps: boolean;
  /** Undefined where people belong to no organizations. */
  readonly organizations?: {
    /** Whether everybody may make one. */
    readonly anyoneMakes: boolean;
  };
  /** How long a mail for signing in works; undefined where nobody signs in by mail. */
  readonly mailSignIn?: { readonly ttlMs: number };
  /** How long the links of mails work. */
  readonly links: { readonly resetMs: number; readonly verificationMs: number };
}

/** Whether the page of the account has parts that some installations alone have. */
export const hasExtras = ({ apps, organizations, personalTokens }: Settings): boolean =>
  apps || personalTokens || organizations !== undefined;

/** Every path at which the server sends the page. The browser's part decides what a path shows. */
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
  "/account/organization",
] as const;

export type Path = (typeof paths)[number];

/** Whether a page shows what is its reader's: it is sent with a session alone, and kept nowhere. */
export const isPersonal = (path: Path | undefined): boolean => path === "/account" || path === "/account/organization";

/** What the account pages need to know of the app. The server writes it into the page, so that asking costs no request. */
export interface Settings {
  /** What people call the product. */
  readonly product: string;
  /** The path of APP_URL, without a slash at its end: the app may be one of several under a host. */
  readonly base: string;
  /** The providers that can be signed in with, by the name in their routes. */
  readonly providers: readonly { readonly name: string; readonly label: string }[];
  readonly password: {
    readonly minLength: number;
    readonly maxLength: number;
    readonly require: Readonly<Record<CharacterRule, boolean>>;
  };
  /** Whether a new account signs in only once its address is verified. */
  readonly verifiesAddress: boolean;
}

/** A kind of characters that an operator may ask every password to have one of. */
export type CharacterRule = "upper" | "lower" | "number" | "symbol";

/** Every path at which the server sends the page; what is shown there is the browser's business. */
export const paths = [
  "/login",
  "/register",
  "/forgot-password",
  "/reset-password",
  "/verify-email",
  "/undo-email-change",
  "/account",
] as const;

export type Path = (typeof paths)[number];

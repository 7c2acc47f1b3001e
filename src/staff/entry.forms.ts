import { randomToken } from "../core/crypto.ts";
import { AppError } from "../core/errors.ts";
import { appendCookie, readCookie, type ResponseHead } from "../http/index.ts";
import { createFormTokens } from "../http/pages/form.tokens.ts";

interface EntryFormOptions {
  readonly app: string;
  readonly key: Uint8Array;
  readonly isSecure: (request: Request) => boolean;
}

const wellFormed = /^[\w-]{43}$/;

/**
 * Tokens of forms that are there before a session is: each belongs to a random cookie (OWASP Cross-Site Request Forgery Prevention, "Signed
 * Double-Submit Cookie" and "Login CSRF"), so that nobody is signed in to an account that a page of another site has chosen. Over TLS the
 * cookie's prefix keeps sibling hosts from setting it (RFC 6265bis §4.1.3.2).
 */
export function createEntryForms({ app, key, isSecure }: EntryFormOptions) {
  const tokens = createFormTokens(key);
  const nameOf = (request: Request): string => `${isSecure(request) ? "__Host-" : ""}${app}_form`;

  function nonceOf(request: Request): string | undefined {
    const nonce = readCookie(request, nameOf(request));
    return nonce !== undefined && wellFormed.test(nonce) ? nonce : undefined;
  }

  return {
    /** The token of this browser's forms, which it keeps while it is open: those of several tabs are good at once. */
    tokenOf(head: ResponseHead, request: Request): string {
      const known = nonceOf(request);
      if (known !== undefined) return tokens.tokenOf(known);
      const nonce = randomToken();
      appendCookie(head, nameOf(request), nonce, {
        httpOnly: true,
        sameSite: "lax",
        path: "/",
        secure: isSecure(request),
      });
      return tokens.tokenOf(nonce);
    },

    /** Throws `cross_site_request` for a form that this browser was not given. */
    check(request: Request, form: URLSearchParams): void {
      const nonce = nonceOf(request);
      if (nonce === undefined) throw new AppError("cross_site_request");
      tokens.check(nonce, form);
    },
  };
}

export type EntryForms = ReturnType<typeof createEntryForms>;

import { randomToken } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import { appendCookie, readCookie, type ResponseHead } from "../../http/index.ts";
import { createFormTokens } from "../../http/pages/form.tokens.ts";

interface EntryFormOptions {
  readonly app: string;
  readonly key: Uint8Array;
  readonly isSecure: (request: Request) => boolean;
}

const wellFormed = /^[\w-]{43}$/;

/**
 * Makes tokens for forms that are filled in before a session exists. Each token belongs to a random cookie (OWASP Cross-Site Request
 * Forgery Prevention, "Signed Double-Submit Cookie" and "Login CSRF"), so that a page of another site can't sign anybody in to an account
 * of its choice. Over TLS the prefix of the cookie keeps sibling hosts from setting it (RFC 6265bis §4.1.3.2).
 */
export function createEntryForms({ app, key, isSecure }: EntryFormOptions) {
  const tokens = createFormTokens(key);
  const nameOf = (request: Request): string => `${isSecure(request) ? "__Host-" : ""}${app}_form`;

  function nonceOf(request: Request): string | undefined {
    const nonce = readCookie(request, nameOf(request));
    return nonce !== undefined && wellFormed.test(nonce) ? nonce : undefined;
  }

  return {
    /** Returns the token for the forms of this browser. It lasts while the browser is open, and is valid in all tabs. */
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

    /** Throws `cross_site_request` for a form that this browser did not get. */
    check(request: Request, form: URLSearchParams): void {
      const nonce = nonceOf(request);
      if (nonce === undefined) throw new AppError("cross_site_request");
      tokens.check(nonce, form);
    },
  };
}

export type EntryForms = ReturnType<typeof createEntryForms>;

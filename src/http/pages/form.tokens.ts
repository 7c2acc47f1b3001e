import { mac, secretsEqual } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";

/** The name of the form field that holds the token. */
export const tokenField = "csrf";

/**
 * Creates the tokens of forms, which a page of another site can't know (OWASP, HMAC-based token pattern). A token is made from the session
 * of the reader: nothing is stored, and the token of one session is worth nothing in another.
 */
export function createFormTokens(key: Uint8Array) {
  const tokenOf = (session: string): string => mac(key, `csrf.${session}`);
  /** Whether a form has the token of that session. */
  function isOf(session: string, form: URLSearchParams): boolean {
    const token = form.get(tokenField);
    return token !== null && secretsEqual(token, tokenOf(session));
  }

  return {
    tokenOf,
    isOf,

    /** Throws `cross_site_request` for a form without the token of that session. */
    check(session: string, form: URLSearchParams): void {
      if (!isOf(session, form)) throw new AppError("cross_site_request");
    },
  };
}

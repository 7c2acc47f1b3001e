import { mac, secretsEqual } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";

/** The field of a form that holds its token. */
export const tokenField = "csrf";

/**
 * Tokens that a page of another site can't know (OWASP, HMAC-based token pattern). Each is made from the session of the
 * reader, so that nothing is stored and the token of one session is worth nothing in another.
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

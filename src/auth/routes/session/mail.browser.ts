import { randomToken } from "../../../core/crypto.ts";
import { readCookies, type ResponseHead } from "../../../http/index.ts";
import type { AuthCookies } from "./cookies.ts";

interface MailBrowserOptions {
  readonly cookies: Pick<AuthCookies, "keep" | "names">;
  /** How long a mail for signing in works. */
  readonly ttlMs: number;
}

/** Keeps the secret of a browser that has asked for a mail: the code of the mail works with it alone. */
export function createMailBrowser({ cookies, ttlMs }: MailBrowserOptions) {
  const name = cookies.names.emailLogin;
  const secretOf = (request: Request): string | undefined =>
    readCookies(request, name, 1).find((value) => /^[\w-]{43}$/.test(value));
  return {
    secretOf,
    /** Returns the secret that the browser has, since a second request soon after sends no second mail; otherwise a new one. */
    secretFor: (request: Request): string => secretOf(request) ?? randomToken(),
    keep: (head: ResponseHead, request: Request, secret: string): void =>
      cookies.keep(head, request, name, secret, ttlMs),
    forget(head: ResponseHead, request: Request): void {
      if (secretOf(request) !== undefined) cookies.keep(head, request, name, "", 0);
    },
  };
}

export type MailBrowser = ReturnType<typeof createMailBrowser>;

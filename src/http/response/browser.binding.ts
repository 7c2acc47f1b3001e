import { randomToken } from "../../core/crypto.ts";
import { readCookie } from "../request/cookies.ts";
import { appendCookie, type ResponseHead } from "./cookies.ts";

interface BrowserBindingOptions {
  /** The name of the cookies. */
  readonly name: string;
  readonly isSecure: (request: Request) => boolean;
  readonly https: boolean;
  readonly ttlMs: number;
}

const token = /^[\w-]{43}$/;

/**
 * Ties a sign-in to the browser that began it, so that no link can sign a victim in to somebody else's account (RFC 6749 §10.12). A random
 * cookie recognises the browser; one cookie serves the sign-ins of several tabs. Some providers answer with a form that their page posts.
 * Such a request is cross-site and carries only cookies with SameSite=None, so these sign-ins have a cookie of their own. Over https the
 * prefix of the name keeps sibling hosts from planting a cookie (RFC 6265bis §4.1.3.2).
 */
export function createBrowserBinding({ name, isSecure, https, ttlMs }: BrowserBindingOptions) {
  const nameOf = (formPost: boolean, secure: boolean): string =>
    `${secure ? "__Host-" : ""}${name}${formPost ? "_form" : ""}`;

  function read(request: Request, formPost = false): string | undefined {
    const value = readCookie(request, nameOf(formPost, https || isSecure(request)));
    return value !== undefined && token.test(value) ? value : undefined;
  }

  return {
    read,

    /** Returns the value of the browser's cookie, and sets a new one where it has none. */
    bind(head: ResponseHead, request: Request, formPost = false): string {
      const secure = https || isSecure(request);
      const value = read(request, formPost) ?? randomToken();
      appendCookie(head, nameOf(formPost, secure), value, {
        httpOnly: true,
        sameSite: formPost && secure ? "none" : "lax",
        path: "/",
        secure,
        maxAge: Math.ceil(ttlMs / 1000),
      });
      return value;
    },
  };
}

export type BrowserBinding = ReturnType<typeof createBrowserBinding>;

import { randomToken } from "../core/crypto.ts";
import type { FederatedAuth } from "../auth/index.ts";
import { appendCookie, readCookie, type ResponseHead } from "../http/index.ts";

interface BrowserBindingOptions {
  readonly isSecure: FederatedAuth["cookies"]["isSecure"];
  readonly https: boolean;
  readonly ttlMs: number;
}

const token = /^[\w-]{43}$/;

/**
 * What ties a sign-in to the browser that began it (SECURITY F-03): a random cookie whose hash its state holds. One serves
 * the sign-ins of several tabs. A form that the provider's page posts is a cross-site request, with which a browser sends
 * only cookies of SameSite=None: these have one of their own. Over https the name's prefix keeps sibling hosts from
 * planting one (RFC 6265bis §4.1.3.2).
 */
export function createBrowserBinding({ isSecure, https, ttlMs }: BrowserBindingOptions) {
  const nameOf = (formPost: boolean, secure: boolean): string =>
    `${secure ? "__Host-" : ""}auth_oauth${formPost ? "_form" : ""}`;

  function read(request: Request, formPost: boolean): string | undefined {
    const value = readCookie(request, nameOf(formPost, https || isSecure(request)));
    return value !== undefined && token.test(value) ? value : undefined;
  }

  return {
    read,

    /** The browser's cookie, a new one where it has none. */
    bind(head: ResponseHead, request: Request, formPost: boolean): string {
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

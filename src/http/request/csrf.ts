import { pathOf } from "./path.ts";

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export const isSafeMethod = (method: string): boolean => safeMethods.has(method);

/**
 * Whether a page of another site may have sent the request. Browsers always tell the origin of such a request, in Sec-Fetch-Site or in
 * Origin. A client that sends neither is no browser and carries no one else's cookies.
 */
export function isCrossSite(request: Request, appOrigin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  return origin !== null && origin !== appOrigin && !isOwnOrigin(origin, request.headers.get("host"));
}

/** Whether a browser sent the request, as far as the headers tell. Browsers always tell with a POST. */
export const isBrowser = ({ headers }: Request): boolean => headers.has("origin") || headers.has("sec-fetch-site");

/**
 * Whether the request is a form that another site is meant to send, such as the answer of a sign-in provider. Its route trusts the
 * single-use state and the browser's cookie, not the origin.
 */
export const isAwaitedForm = (request: Request, awaited: ReadonlySet<string>): boolean =>
  request.method === "POST" && isForm(request.headers.get("content-type") ?? "") && awaited.has(pathOf(request.url));

export const isForm = (contentType: string): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType.trim());

/** A page can't send this media type to another origin without asking first (a preflight of the Fetch standard). */
export const isJson = (contentType: string): boolean =>
  /^application\/(?:json|[\w.+-]+\+json)\s*(?:;|$)/i.test(contentType.trim());

function isOwnOrigin(origin: string, host: string | null): boolean {
  const authority = /^https?:\/\/([^/?#@\\\s]+)$/.exec(origin)?.[1];
  return authority !== undefined && host !== null && authority.toLowerCase() === host.toLowerCase();
}

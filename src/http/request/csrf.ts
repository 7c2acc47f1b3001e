import { addressFamily } from "../../core/address/address.family.ts";
import { isLoopbackOrigin, loopbackOrigin } from "../../core/address/origins.ts";
import { hostOf } from "../../core/address/url.parts.ts";
import { pathOf } from "./path.ts";

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export const isSafeMethod = (method: string): boolean => safeMethods.has(method);

/** The origins whose pages are the service's own. */
export interface OwnOrigins {
  readonly appUrl: URL;
  /** Whether any page of this machine is: on a developer's machine, where a proxy of a build tool rewrites Host. */
  readonly loopback: boolean;
}

/**
 * Whether a page of another site may have sent the request. Browsers always tell the origin of such a request, in Sec-Fetch-Site or in
 * Origin. A client that sends neither is no browser and carries no one else's cookies.
 */
export function isCrossSite({ headers }: Request, { appUrl, loopback }: OwnOrigins): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = headers.get("origin");
  if (origin === null || origin === appUrl.origin) return false;
  if (loopback && isLoopbackOrigin(origin)) return false;
  return !isOwnOrigin(origin, headers.get("host")) || (loopback && !hasAddress(origin));
}

/**
 * Whether the browser keeps no cookie of the answer: a script of another site's page sent the request, and the cookies are SameSite=Lax.
 * Browsers say so by Sec-Fetch-Site, except to a host with plain HTTP that is not this machine. There the origins are compared, as long as
 * Host shows that no proxy of the page's own site is in between.
 */
export function losesCookies({ headers }: Request, appUrl: URL): boolean {
  if (headers.get("sec-fetch-mode") === "navigate") return false;
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "cross-site";
  const page = URL.parse(headers.get("origin") ?? "");
  const isSilent = appUrl.protocol === "http:" && loopbackOrigin(appUrl.href) === undefined;
  return (
    isSilent &&
    page !== null &&
    URL.parse(`http://${headers.get("host") ?? ""}`)?.hostname === appUrl.hostname &&
    !isSameSite(page, appUrl)
  );
}

/**
 * Whether browsers take two hosts for one site. Without the list of public suffixes, hosts below the same two labels count as one, though
 * under such as co.uk they need not be.
 */
function isSameSite(one: URL, other: URL): boolean {
  const siteOf = (url: URL): string =>
    addressFamily(hostOf(url)) === 0 ? url.hostname.split(".").slice(-2).join(".") : url.hostname;
  return one.protocol === other.protocol && siteOf(one) === siteOf(other);
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

/**
 * Whether an origin has an address in place of a name. On a developer's machine, which answers with mailed tokens, no other name is own
 * because Host has it: a page of a stranger can make its own name resolve to this machine.
 */
const hasAddress = (origin: string): boolean => {
  const url = URL.parse(origin);
  return url !== null && addressFamily(hostOf(url)) !== 0;
};

function isOwnOrigin(origin: string, host: string | null): boolean {
  const authority = /^https?:\/\/([^/?#@\\\s]+)$/.exec(origin)?.[1];
  return authority !== undefined && host !== null && authority.toLowerCase() === host.toLowerCase();
}

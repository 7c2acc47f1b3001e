import { getPublicSuffix } from "tldts";
import type { Config } from "../config.ts";

/** Of private suffixes too, such as github.io, below which hosts of strangers lie side by side: browsers know both kinds. */
const isPublicSuffix = (domain: string): boolean => getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;

/**
 * Why browsers would refuse a cookie for AUTH_COOKIE_DOMAIN (RFC 6265 §5.3). A module of its own because the list of public
 * suffixes is large: it is loaded only where the variable is set. The admin app's cookies stay with its host.
 */
export function cookieDomainProblems({ app, auth: { cookieDomain } }: Config): readonly string[] {
  if (cookieDomain === undefined || app.name !== "app") return [];
  const { hostname } = app.url;
  if (hostname !== cookieDomain && !hostname.endsWith(`.${cookieDomain}`))
    return ["AUTH_COOKIE_DOMAIN must be the host of APP_URL or a parent of it"];
  return isPublicSuffix(cookieDomain)
    ? ["AUTH_COOKIE_DOMAIN is a public suffix or a name without a dot: browsers refuse cookies for it"]
    : [];
}

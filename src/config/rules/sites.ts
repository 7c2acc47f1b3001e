import { getDomain, getPublicSuffix } from "tldts";
import type { Config } from "../config.ts";
import { isDeployed } from "./judged.ts";

// A module of its own because the list of public suffixes is large: it is loaded only for settings that it has to judge.

/** Private suffixes too, such as github.io, below which hosts of strangers lie side by side: browsers know both kinds. */
const known = { allowPrivateDomains: true } as const;

/** Why browsers would refuse a cookie for AUTH_COOKIE_DOMAIN (RFC 6265 §5.3). The admin app's cookies stay with its host. */
export function cookieDomainProblems({ app, auth: { cookieDomain } }: Config): readonly string[] {
  if (cookieDomain === undefined || app.name !== "app") return [];
  const { hostname } = app.url;
  if (hostname !== cookieDomain && !hostname.endsWith(`.${cookieDomain}`))
    return ["AUTH_COOKIE_DOMAIN must be the host of APP_URL or a parent of it"];
  return getPublicSuffix(cookieDomain, known) === cookieDomain
    ? ["AUTH_COOKIE_DOMAIN is a public suffix or a name without a dot: browsers refuse cookies for it"]
    : [];
}

/** Why browsers would make no passkey for AUTH_WEBAUTHN_RP_ID (WebAuthn, "Relying Party Identifier"). */
export function relyingPartyProblems({ app, auth: { webauthnRpId } }: Config): readonly string[] {
  const { hostname } = app.url;
  if (webauthnRpId === undefined || webauthnRpId === hostname) return [];
  if (!hostname.endsWith(`.${webauthnRpId}`))
    return ["AUTH_WEBAUTHN_RP_ID must be the host of APP_URL or a parent of it"];
  return getPublicSuffix(webauthnRpId, known) === webauthnRpId
    ? ["AUTH_WEBAUTHN_RP_ID is a public suffix: browsers make no passkeys for it"]
    : [];
}

/** What browsers hold for one site: the scheme, and the domain that somebody can register (HTML standard, "same site"). */
const siteOf = ({ protocol, hostname }: URL): string => `${protocol} ${getDomain(hostname, known) ?? hostname}`;

/** Says of which listed origins nobody will be signed in: SameSite=Lax keeps cookies from the requests of another site's pages. */
export function originWarnings(config: Config): readonly string[] {
  const { app, http } = config;
  if (!isDeployed(config) || app.name !== "app") return [];
  return http.allowedOrigins
    .filter((origin) => siteOf(new URL(origin)) !== siteOf(app.url))
    .map(
      (origin) =>
        `AUTH_ALLOWED_ORIGINS: ${origin} is another site than APP_URL: browsers send no cookies from its pages`,
    );
}

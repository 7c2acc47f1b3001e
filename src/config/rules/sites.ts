import { isPublicSuffix, registrableDomain } from "../../core/address/public.suffix.ts";
import { isWithin, passkeyUrl } from "../../core/address/url.parts.ts";
import type { Config } from "../config.ts";
import { isDeployed } from "./judged.ts";

// A separate module because the list of public suffixes is large: it is loaded only for settings that it has to judge.

/** Says why browsers would refuse a cookie for AUTH_COOKIE_DOMAIN (RFC 6265 §5.3). The admin app's cookies stay with its host. */
export function cookieDomainProblems({ app, auth: { cookieDomain } }: Config): readonly string[] {
  if (cookieDomain === undefined || app.name !== "app") return [];
  const { hostname } = app.url;
  if (hostname !== cookieDomain && !hostname.endsWith(`.${cookieDomain}`))
    return ["AUTH_COOKIE_DOMAIN must be the host of APP_URL or a parent of it"];
  return isPublicSuffix(cookieDomain)
    ? ["AUTH_COOKIE_DOMAIN is a public suffix or a name without a dot: browsers refuse cookies for it"]
    : [];
}

/** Says why browsers would make no passkey for AUTH_WEBAUTHN_RP_ID (WebAuthn, "Relying Party Identifier"). */
export function relyingPartyProblems({ app, auth: { webauthnRpId } }: Config): readonly string[] {
  const { hostname } = app.url;
  if (webauthnRpId === undefined || webauthnRpId === hostname) return [];
  if (!hostname.endsWith(`.${webauthnRpId}`))
    return ["AUTH_WEBAUTHN_RP_ID must be the host of APP_URL or a parent of it"];
  return isPublicSuffix(webauthnRpId)
    ? ["AUTH_WEBAUTHN_RP_ID is a public suffix: browsers make no passkeys for it"]
    : [];
}

/** Returns the origins of AUTH_WEBAUTHN_ORIGINS that are of other domains than the passkeys. The admin app, which is told them too, takes none. */
function relatedOrigins({ app, auth }: Config): readonly URL[] {
  const domain = auth.webauthnRpId ?? passkeyUrl(app.url).hostname;
  const urls = app.name === "app" ? auth.webauthnOrigins.map((origin) => new URL(origin)) : [];
  return urls.filter(({ hostname }) => !isWithin(hostname, domain));
}

/** Says why browsers would let pages of AUTH_WEBAUTHN_ORIGINS use no passkey (WebAuthn level 3, "Using Web Authentication across related origins"). */
export const passkeyOriginProblems = (config: Config): readonly string[] =>
  relatedOrigins(config)
    .filter(({ protocol, hostname }) => protocol !== "https:" || registrableDomain(hostname) === null)
    .map(
      ({ origin }) =>
        `AUTH_WEBAUTHN_ORIGINS: ${origin} is not at AUTH_WEBAUTHN_RP_ID or below it, and browsers take another one only with https and a domain that somebody has registered`,
    );

/** Browsers look at origins of this many names at least, a name being what stands before the public suffix, and need look at no more. */
const mostNames = 5;

/** Warns if browsers may take no notice of some of the origins. */
export function relatedOriginWarnings(config: Config): readonly string[] {
  const names = new Set(relatedOrigins(config).map(({ hostname }) => registrableDomain(hostname)?.split(".")[0]));
  return names.size > mostNames
    ? [
        `AUTH_WEBAUTHN_ORIGINS has ${names.size} names besides AUTH_WEBAUTHN_RP_ID: browsers need look at the first ${mostNames} alone`,
      ]
    : [];
}

/** Returns the nearest domain above both hosts, or one of the two. Undefined if strangers can also have hosts below it. */
function sharedDomain(one: string, other: string): string | undefined {
  const labels = one.split(".");
  const shared = labels
    .map((_, index) => labels.slice(index).join("."))
    .find((domain) => other === domain || other.endsWith(`.${domain}`));
  return shared !== undefined && registrableDomain(shared) !== null ? shared : undefined;
}

/** Warns if the two apps, which share accounts, could accept the same passkeys and don't. */
export function passkeyWarnings(config: Config): readonly string[] {
  const { url, otherUrl } = config.app;
  if (!isDeployed(config) || config.auth.webauthnRpId !== undefined || otherUrl === undefined) return [];
  const [here, there] = [url.hostname, otherUrl.hostname];
  const shared = here === there ? undefined : sharedDomain(here, there);
  if (shared === undefined) return [];
  return [
    `AUTH_WEBAUTHN_RP_ID is not set: a passkey added at ${there} does not work at ${here}, where its person may then be kept out. AUTH_WEBAUTHN_RP_ID=${shared} lets both apps take the same ones; set it before people have passkeys, for those from before stop working`,
  ];
}

/** Returns the site as browsers compare it: the scheme, and the domain that somebody can register (HTML standard, "same site"). */
const siteOf = ({ protocol, hostname }: URL): string => `${protocol} ${registrableDomain(hostname) ?? hostname}`;

/** Warns of listed origins on which nobody will be signed in: SameSite=Lax keeps cookies from requests of another site's pages. */
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

import { isPublicSuffix, registrableDomain } from "../../core/address/public.suffix.ts";
import { passkeyUrl } from "../../core/address/url.parts.ts";
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

/**
 * Says why pages of AUTH_WEBAUTHN_ORIGINS could use no passkey. The admin app may have another domain than the app whose origins it is told,
 * too.
 */
export function passkeyOriginProblems({ app, auth }: Config): readonly string[] {
  const domain = auth.webauthnRpId ?? passkeyUrl(app.url).hostname;
  const isElsewhere = (origin: string): boolean => !`.${new URL(origin).hostname}`.endsWith(`.${domain}`);
  return app.name === "app" && auth.webauthnOrigins.some(isElsewhere)
    ? [`AUTH_WEBAUTHN_ORIGINS must be at AUTH_WEBAUTHN_RP_ID, which is ${domain}, or below it`]
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

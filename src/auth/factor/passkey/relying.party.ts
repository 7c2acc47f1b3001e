import type { Config } from "../../../config/index.ts";
import { isLoopbackOrigin, pageOrigin } from "../../../core/address/origins.ts";
import { hostOf, isWithin, passkeyUrl } from "../../../core/address/url.parts.ts";
import { AppError } from "../../../core/errors.ts";

/** The service that passkeys are made for (WebAuthn, "Relying Party"), and the pages that may use them. */
export interface RelyingParty {
  readonly id: string;
  /** The name for people. */
  readonly name: string;
  /** Listed origins of other domains, which browsers let use the passkeys once the service names them (WebAuthn level 3, §5.11). */
  readonly related: readonly string[];
  /** Whether passkeys are taken from pages of an origin. */
  accepts(origin: string): boolean;
  /**
   * Throws `passkey_origin` for a page whose passkeys would not be taken, or to which its browser gives none, before an authenticator makes
   * one. A client that names no origin is no browser.
   */
  requireUsable(origin: string | null): void;
}

/** Says for developers why passkeys can't be used on a page, and what lets them. */
function detailOf(origin: string | undefined, id: string, home: string): string {
  if (origin === undefined) return `Its page has no http or https origin. Passkeys are used on pages of ${home}.`;
  if (!isWithin(new URL(origin).hostname, id))
    return `Its page is of ${origin}, and browsers use passkeys of ${id} (AUTH_WEBAUTHN_RP_ID) only on pages of that domain, and of others that it names: open ${home}.`;
  return `Its page is of ${origin}, where passkeys of ${id} (AUTH_WEBAUTHN_RP_ID) are not taken: AUTH_WEBAUTHN_ORIGINS=${origin} lets it use them.`;
}

export function createRelyingParty({ app, auth }: Pick<Config, "app" | "auth">): RelyingParty {
  const home = passkeyUrl(app.url);
  const id = auth.webauthnRpId ?? hostOf(home);
  const isNear = (origin: string): boolean => isWithin(new URL(origin).hostname, id);
  // What is signed on a page of customers must not open the pages for staff, who may be told the same origins.
  const related = app.name === "app" ? auth.webauthnOrigins.filter((origin) => !isNear(origin)) : [];
  const listed = new Set([home.origin, ...auth.webauthnOrigins.filter(isNear), ...related]);
  const isLocal = app.env === "local";

  // On a developer's machine the page may come from the server of a build tool, at a port of its own.
  const accepts = (origin: string): boolean =>
    listed.has(origin) || (isLocal && isLoopbackOrigin(origin) && new URL(origin).hostname === id);

  return {
    id,
    name: app.displayName,
    related,
    accepts,
    requireUsable(origin) {
      if (origin !== null && !accepts(origin))
        throw new AppError("passkey_origin", { detail: detailOf(pageOrigin(origin), id, home.origin) });
    },
  };
}

import { baseUrl } from "../../core/address/url.parts.ts";
import { providerOfOrganization } from "../../core/people/providers.ts";

const at = (appUrl: URL, name: string, route: string): string =>
  `${baseUrl(appUrl)}/api/v1/auth/oauth/${name}/${route}`;

/** Where a browser begins to sign in by the provider of an organization. */
export const startOf = (appUrl: URL, slug: string): string => at(appUrl, `org-${slug}`, "start");

/** Where the provider sends people back: it has the id, so that it stays registered when the slug changes. */
export const callbackOf = (appUrl: URL, id: string): string => at(appUrl, providerOfOrganization(id), "callback");

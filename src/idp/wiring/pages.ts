import { Elysia } from "elysia";
import { basePath } from "../../core/address/url.parts.ts";
import { deriveKey } from "../../core/crypto.ts";
import { createFormTokens } from "../../http/pages/form.tokens.ts";
import { assetRoutes } from "../../http/pages/style/assets.ts";
import { createAskedMarks } from "../authorize/asked.ts";
import { createAuthorization } from "../authorize/authorization.ts";
import { authorizePath, authorizeRoutes, consentPath } from "../authorize/authorize.routes.tsx";
import { createConsentRepository } from "../authorize/consent.repository.ts";
import { createConsents } from "../authorize/consents.ts";
import { clientRoutes } from "../client/client.routes.ts";
import { devicePath } from "../device/device.endpoint.ts";
import { deviceForms, deviceRoutes } from "../device/device.routes.tsx";
import { logoutForms, logoutRoutes } from "../logout/logout.routes.tsx";
import { createFrame, scriptAsset, styleAsset } from "../pages/frame.tsx";
import type { Parts, Stores } from "./parts.ts";

/** What a person's browser meets: the authorization endpoint, the page for devices, and the ways out. */
export function pagesOf(parts: Parts, { codes, devices, pushed }: Stores) {
  const { config, database, auth, tokens, find, words, brand, facts, count, decline, clock } = parts;
  const key = deriveKey(config.auth.jwtSecret, "idp/pages");
  const shared = {
    auth,
    find,
    frame: createFrame({ base: basePath(config.app.url), words, brand }),
    forms: createFormTokens(key),
    facts,
    onRefusal: decline,
    clock,
  };
  const consents = createConsents({ rows: createConsentRepository(database), clock });
  const authorization = createAuthorization({
    find,
    auth,
    tokens,
    codes,
    consents,
    pushed,
    marks: createAskedMarks(deriveKey(config.auth.jwtSecret, "idp/asked"), clock),
    clock,
  });
  return new Elysia()
    .use(assetRoutes("idp/assets", [styleAsset, scriptAsset]))
    .use(authorizeRoutes({ ...shared, authorization }))
    .use(deviceRoutes({ ...shared, devices, consents }))
    .use(clientRoutes({ auth, find }))
    .use(logoutRoutes({ ...shared, tokens, onLogout: () => count({ act: "logout", what: "browser" }) }));
}

/** The paths of forms: those that pages of other sites may post, and those of our own pages. */
export const pageForms = {
  awaited: [authorizePath, ...logoutForms.awaited],
  own: [consentPath, ...deviceForms, ...logoutForms.own],
  navigated: [authorizePath, devicePath, ...logoutForms.awaited],
} as const;

import { Elysia } from "elysia";
import { basePath } from "../../core/address/url.parts.ts";
import { deriveKey } from "../../core/crypto.ts";
import { createFormTokens } from "../../http/pages/form.tokens.ts";
import { assetRoutes } from "../../http/pages/style/assets.ts";
import { createAskedMarks } from "../authorize/asked.ts";
import { createAuthorization } from "../authorize/authorization.ts";
import { authorizePath, authorizeRoutes, consentPath } from "../authorize/authorize.routes.tsx";
import { createConsentRepository } from "../authorize/consent.repository.ts";
import { NoDestination } from "../authorize/request.ts";
import { clientRoutes } from "../client/client.routes.ts";
import { devicePath } from "../device/device.endpoint.ts";
import { deviceForms, deviceRoutes } from "../device/device.routes.tsx";
import { logoutForms, logoutRoutes, UnreadableLogout } from "../logout/logout.routes.tsx";
import { createFrame, scriptAsset, styleAsset } from "../pages/frame.tsx";
import type { Parts, Stores } from "./parts.ts";

/** What a person's browser meets: the authorization endpoint, the page for devices, and the ways out. */
export function pagesOf(parts: Parts, { codes, devices, pushed }: Stores) {
  const { config, database, auth, tokens, find, brand, facts, count, decline, clock } = parts;
  const key = deriveKey(config.auth.jwtSecret, "idp/pages");
  const shared = {
    auth,
    find,
    frame: createFrame({ base: basePath(config.app.url), brand }),
    forms: createFormTokens(key),
    appUrl: config.app.url,
    facts,
    clock,
  };
  const consents = createConsentRepository(database);
  const authorization = createAuthorization({
    find,
    auth,
    tokens,
    codes,
    consents,
    pushed,
    marks: createAskedMarks(deriveKey(config.auth.jwtSecret, "idp/asked"), clock),
    onRefusal: (client, { code, why, message }, request) =>
      decline({ code, reason: why ?? code, message, program: client.name }, request),
    clock,
  });
  const onUnknown: Parameters<typeof authorizeRoutes>[0]["onUnknown"] = (reason, error, request) => {
    const { client, asked } = error instanceof NoDestination ? error : {};
    decline({ code: reason, reason, message: error.message, program: client?.name, asked }, request);
  };
  const onDevice: Parameters<typeof deviceRoutes>[0]["onRefusal"] = (reason, request, client) => {
    const code = reason === "unknown_user_code" ? "invalid_grant" : "access_denied";
    decline({ code, reason, message: "A device was not let in.", program: client?.name }, request);
  };
  const onBadLogout: Parameters<typeof logoutRoutes>[0]["onRefusal"] = (error, request) => {
    const { client, asked } = error instanceof UnreadableLogout ? error : {};
    const { code, why, message } = error;
    decline({ code, reason: why ?? code, message, program: client?.name, asked }, request);
  };
  return new Elysia()
    .use(assetRoutes("idp/assets", [styleAsset, scriptAsset]))
    .use(authorizeRoutes({ ...shared, authorization, onUnknown }))
    .use(deviceRoutes({ ...shared, devices, consents, onRefusal: onDevice }))
    .use(clientRoutes({ find }))
    .use(
      logoutRoutes({
        ...shared,
        tokens,
        onLogout: () => count({ act: "logout", what: "browser" }),
        onRefusal: onBadLogout,
      }),
    );
}

/** The paths of forms: those that pages of other sites may post, and those of our own pages. */
export const pageForms = {
  awaited: [authorizePath, ...logoutForms.awaited],
  own: [consentPath, ...deviceForms, ...logoutForms.own],
  navigated: [authorizePath, devicePath, ...logoutForms.awaited],
} as const;

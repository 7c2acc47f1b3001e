import { Elysia } from "elysia";
import { allowedOriginsOf } from "../../config/index.ts";
import type { Module } from "../../core/module.ts";
import { accountRoutes } from "../routes/account/account.routes.ts";
import { tokenRoutes } from "../routes/account/token.routes.ts";
import { personalDataRoutes } from "../routes/account/personal.data.routes.ts";
import { emailLoginRoutes } from "../routes/email.login.routes.ts";
import { challengeRoutes } from "../routes/factor/challenge.routes.ts";
import { mfaRoutes } from "../routes/factor/mfa.routes.ts";
import { passkeyRoutes } from "../routes/factor/passkey.routes.ts";
import { relatedOriginRoutes } from "../routes/factor/related.routes.ts";
import { mailedLinkRoutes } from "../routes/mailed.link.routes.ts";
import { invitationRoutes } from "../routes/invitation.routes.ts";
import { createPageAuth } from "../routes/page/page.auth.ts";
import { createPageFactors } from "../routes/page/page.factors.ts";
import { createPageOwn } from "../routes/page/page.own.ts";
import { createPageWays } from "../routes/page/page.ways.ts";
import { passwordRoutes } from "../routes/password.routes.ts";
import { keyRoutes, type PublishedKeys } from "../routes/session/key.routes.ts";
import { sessionRoutes } from "../routes/session/session.routes.ts";
import { verifyRoutes } from "../routes/session/verify.routes.ts";
import { verificationRoutes } from "../routes/verification.routes.ts";
import type { AuthOptions } from "./base.ts";
import type { Exchange } from "./exchange.ts";
import type { Factors } from "./factors.ts";
import type { Sessions } from "./sessions.ts";
import type { Watched } from "./watched.ts";

interface PageRooms {
  readonly options: AuthOptions;
  readonly exchange: Exchange;
  readonly watched: Watched;
}

interface RouteRooms extends PageRooms {
  readonly sessions: Sessions;
}

/** The JSON routes under `/api/v1/auth`. */
export function wireRoutes({ options, exchange, watched, sessions: { impersonations } }: RouteRooms) {
  const { config, clock } = options;
  const { cookies, guard, clientOf, deliveries, browsers, mailBrowser } = exchange;
  const { sessions, pressure, login, challenge, registration, acceptance, emailSignIn, passkeyLogin } = watched;
  const {
    reauthentication,
    profiles,
    passwords,
    passwordless,
    verification,
    links,
    exports,
    deletion,
    factors,
    passkeys,
  } = watched;
  const registeringSignsIn = !config.auth.registerRequiresEmailVerification;

  return new Elysia({ prefix: "/api/v1/auth" })
    .use(sessionRoutes({ login, reauthentication, sessions, cookies, deliveries, guard, clientOf }))
    .use(challengeRoutes({ challenge, deliveries, clientOf, clock }))
    .use(
      accountRoutes({
        registration,
        profiles,
        sessions,
        impersonations,
        pressure,
        deliveries,
        guard,
        clientOf,
        registeringSignsIn,
      }),
    )
    .use(passwordRoutes({ passwords, passwordless, pressure, cookies, deliveries, guard, clientOf }))
    .use(verificationRoutes({ verification, sessions, profiles, pressure, cookies, guard, clientOf }))
    .use(passkeyRoutes({ passkeys, passkeyLogin, pressure, browsers, deliveries, guard, clientOf }))
    .use(emailLoginRoutes({ emailSignIn, pressure, deliveries, mailBrowser, clientOf }))
    .use(mailedLinkRoutes({ links, emailSignIn, pressure, clientOf }))
    .use(invitationRoutes({ acceptance, sessions, pressure, cookies, deliveries, clientOf }))
    .use(mfaRoutes({ factors, passkeys, guard, clientOf }))
    .use(personalDataRoutes({ exports, deletion, cookies, guard, clientOf, clock }));
}

/** What proxies and programs ask about the session of a request, whichever pages people sign in on. */
export const wireVerify = ({ options, exchange, watched, sessions: { shownClaims, bearerOf } }: RouteRooms) =>
  verifyRoutes({
    sessions: watched.sessions,
    shownClaims,
    bearerOf,
    programBearer: options.programBearer,
    hasOrganizations: options.config.organizations.enabled,
    hasImpersonation: options.config.auth.impersonators.length > 0,
    cookies: exchange.cookies,
    facts: options.facts,
    appUrl: options.config.app.url,
    allowedOrigins: allowedOriginsOf(options.config),
    clock: options.clock,
  });

/** The tokens for people's own scripts, or where there are none, what the routes of them would be. */
export function wirePersonalTokens({
  options: { config },
  exchange: { guard, clientOf },
  watched: { tokens },
}: PageRooms) {
  const routes = tokenRoutes({ tokens, guard, clientOf });
  const module: Module<typeof routes> = config.auth.personalTokensEnabled ? { routes } : { described: routes.routes };
  return module;
}

/** The list of other domains whose pages use the passkeys, or where there are none, what the route of it would be. */
export function wireRelatedOrigins({ passkeyParts: { party } }: Factors) {
  const routes = relatedOriginRoutes(party);
  const module: Module<typeof routes> = party.related.length > 0 ? { routes } : { described: routes.routes };
  return module;
}

/** The keys of access tokens, or where there are none, what the route of them would be. */
export function wireKeys({ publishedKeys }: Sessions, more?: PublishedKeys) {
  const routes = keyRoutes(more ?? (async () => [...publishedKeys]));
  const isPublished = more !== undefined || publishedKeys.length > 0;
  const keys: Module<typeof routes> = isPublished ? { routes } : { described: routes.routes };
  return keys;
}

/** What pages that the server writes do in place of the JSON routes. */
export function wirePages({ options: { watch, clock }, exchange, watched, sessions: { impersonations } }: RouteRooms) {
  const { factors, passkeys, passkeyLogin } = watched;
  const { browsers, cookies, clientOf } = exchange;
  return {
    pages: createPageAuth({ ...watched, ...exchange, onRefusal: watch?.refused }),
    pageFactors: createPageFactors({ factors, passkeys, passkeyLogin, browsers, cookies, clientOf }),
    pageWays: createPageWays({ ...watched, ...exchange }),
    pageOwn: createPageOwn({ ...watched, ...exchange, impersonations, clock }),
  };
}

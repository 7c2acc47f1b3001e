import { createBrowserBinding } from "../../http/index.ts";
import { createClientOf, createProxyWarning } from "../client.ts";
import { passkeyChallengeTtlMs } from "../factor/passkey/passkey.challenges.ts";
import { createAuthCookies, mostDeviceCookies } from "../routes/session/cookies.ts";
import { createDeliveries } from "../routes/session/delivery.ts";
import { createGuard } from "../routes/session/guard.ts";
import { createMailBrowser } from "../routes/session/mail.browser.ts";
import type { AuthOptions } from "./base.ts";
import type { PressureParts } from "./pressure.ts";
import type { Sessions } from "./sessions.ts";

interface ExchangeRooms {
  readonly options: AuthOptions;
  readonly pressure: PressureParts;
  readonly sessions: Sessions;
}

export type Exchange = ReturnType<typeof wireExchange>;

/** What a request says of its client and its session, and how an answer hands a session over. */
export function wireExchange({
  options: { config, facts, metrics, clock, log },
  pressure: { devices },
  sessions: { sessions },
}: ExchangeRooms) {
  const { app, auth } = config;
  const cookies = createAuthCookies({
    app: app.name,
    secure: auth.cookieSecure,
    domain: auth.cookieDomain,
    appUrl: app.url,
    accessTtlMs: auth.accessTtlMs,
    devices,
    facts,
    clock,
  });
  return {
    cookies,
    guard: createGuard({ sessions, cookies, log }),
    clientOf: createClientOf({
      facts,
      voucherCookie: config.organizations.enabled ? cookies.names.vouched : undefined,
      deviceCookies: { name: cookies.names.device, most: mostDeviceCookies },
      onForgottenProxy: createProxyWarning({ log, clock, count: metrics.forgottenProxy }),
    }),
    deliveries: createDeliveries({ cookies, devices, facts, accessTtlMs: auth.accessTtlMs, clock }),
    mailBrowser: createMailBrowser({ cookies, ttlMs: auth.emailLoginTtlMs }),
    browsers: createBrowserBinding({
      name: cookies.names.passkey,
      isSecure: cookies.isSecure,
      https: app.url.protocol === "https:",
      ttlMs: passkeyChallengeTtlMs,
    }),
  };
}

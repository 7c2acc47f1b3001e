import { createPageAuth } from "../routes/page/page.auth.ts";
import { createPageFactors } from "../routes/page/page.factors.ts";
import type { AuthOptions } from "./base.ts";
import type { Exchange } from "./exchange.ts";
import type { Watched } from "./watched.ts";

interface PageRooms {
  readonly options: AuthOptions;
  readonly exchange: Exchange;
  readonly watched: Watched;
}

/** What pages that the server writes do in place of the JSON routes. */
export function wirePages({ options: { watch }, exchange, watched }: PageRooms) {
  const { cookies, clientOf, deliveries, browsers } = exchange;
  const { sessions, pressure, login, challenge, registration, reauthentication, passwords, verification } = watched;
  const { factors, passkeys, passkeyLogin } = watched;
  return {
    pages: createPageAuth({
      login,
      challenge,
      deliveries,
      registration,
      reauthentication,
      sessions,
      passwords,
      verification,
      pressure,
      cookies,
      clientOf,
      onRefusal: watch?.refused,
    }),
    pageFactors: createPageFactors({ factors, passkeys, passkeyLogin, browsers, cookies, clientOf }),
  };
}

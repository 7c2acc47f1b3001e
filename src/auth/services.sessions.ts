import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import { baseUrl } from "../core/address/url.parts.ts";
import type { Database } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import type { Journal } from "./journal.ts";
import { createAccessTokens } from "./session/access.token.ts";
import { createIntrospection } from "./session/introspection.ts";
import { createLiveness } from "./session/liveness.ts";
import { createRefreshTokens } from "./session/refresh.token.ts";
import { createSessionRepository, type SessionRepository } from "./session/session.repository.ts";
import { createSessionService, type SessionOptions } from "./session/session.service.ts";
import { watchSessions } from "./session/session.watch.ts";
import { createTokenKeys } from "./session/token.keys.ts";
import type { UserRepository } from "./user/user.repository.ts";
import type { AuthWatch } from "./watch.ts";

interface SessionRowOptions {
  readonly config: Config;
  readonly database: Database;
  readonly watch: AuthWatch | undefined;
}

interface SessionServiceOptions extends SessionRowOptions {
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly sessionRows: SessionRepository;
  readonly evictEverywhere: SessionOptions["evictEverywhere"];
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes the rows of sessions, with more columns where inspects are on and where a second factor is required. */
export const createSessionRows = ({ config: { app, auth }, database, watch }: SessionRowOptions): SessionRepository =>
  createSessionRepository(database, app.name, {
    debug: watch !== undefined && app.debug > 0,
    factors: auth.mfaRequired,
  });

/** Makes sessions and the tokens by which they are found. */
export async function createSessionServices({ config, watch, sessionRows, ...stores }: SessionServiceOptions) {
  const { auth, app } = config;
  const { clock } = stores;
  const issuer = baseUrl(app.url);
  const tokenKeys = await createTokenKeys({
    secret: auth.jwtSecret,
    previousSecrets: auth.jwtPreviousSecrets,
    privateKey: auth.jwtPrivateKey,
    previousPublicKeys: auth.jwtPreviousPublicKeys,
  });
  const audience = app.name;
  const accessTokens = createAccessTokens({ keys: tokenKeys, issuer, audience, ttlMs: auth.accessTtlMs, clock });
  const liveness = createLiveness({ idleTtlMs: auth.sessionIdleTtlMs, clock });
  const sessions = createSessionService({
    ...stores,
    config: auth,
    sessions: sessionRows,
    accessTokens,
    refreshTokens: createRefreshTokens(auth.jwtSecret, auth.jwtPreviousSecrets),
  });
  return {
    liveness,
    publishedKeys: tokenKeys.published,
    introspect: createIntrospection({
      issuer,
      audience,
      accessTokens,
      sessions: sessionRows,
      isFactorMissing: sessions.isFactorMissing,
      liveness,
      clock,
    }),
    sessions: watch === undefined ? sessions : watchSessions(sessions, watch.session),
  };
}

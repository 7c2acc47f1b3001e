import { baseUrl } from "../../core/address/url.parts.ts";
import { createEvictions } from "../flow/eviction/eviction.ts";
import { createAccessTokens } from "../session/access.token.ts";
import { createIntrospection } from "../session/introspection.ts";
import { createLiveness } from "../session/liveness.ts";
import { createRefreshTokens } from "../session/refresh.token.ts";
import { createSessionRepository } from "../session/session.repository.ts";
import { createSessionService } from "../session/session.service.ts";
import { watchSessions } from "../session/session.watch.ts";
import { createTokenKeys } from "../session/token.keys.ts";
import type { Factors } from "./factors.ts";
import type { MailRooms, Mails } from "./mails.ts";

export interface SessionRooms extends MailRooms {
  readonly mails: Mails;
  readonly factors: Factors;
}

export type Sessions = Awaited<ReturnType<typeof wireSessions>>;

/** Sessions, the tokens by which they are found, and what ends them together with all else that stands on an old proof. */
export async function wireSessions({
  options: { config, database, identities, watch, clock, log },
  base: { users, journal },
  mails: { grants },
  factors: { challenges, storedFactors },
}: SessionRooms) {
  const { app, auth } = config;
  // What is read of a session besides, where inspects are on and where a second factor is required.
  const reads = { debug: watch !== undefined && app.debug > 0, factors: auth.mfaRequired };
  const sessionRows = createSessionRepository(database, app.name, reads);
  const evictions = createEvictions({ users, sessionRows, challenges, identities, storedFactors, grants, clock });
  const keys = await createTokenKeys({
    secret: auth.jwtSecret,
    previousSecrets: auth.jwtPreviousSecrets,
    privateKey: auth.jwtPrivateKey,
    previousPublicKeys: auth.jwtPreviousPublicKeys,
  });
  const issuer = baseUrl(app.url);
  const audience = app.name;
  const accessTokens = createAccessTokens({ keys, issuer, audience, ttlMs: auth.accessTtlMs, clock });
  const liveness = createLiveness({ idleTtlMs: auth.sessionIdleTtlMs, clock });
  const sessions = createSessionService({
    config: auth,
    database,
    journal,
    sessions: sessionRows,
    evictEverywhere: (userId) => evictions.evict(userId, "signed_out_everywhere", { onlyWithSessions: true }),
    users,
    accessTokens,
    refreshTokens: createRefreshTokens(auth.jwtSecret, auth.jwtPreviousSecrets),
    clock,
    log,
  });
  const { isFactorMissing } = sessions;
  const reader = { issuer, audience, accessTokens, sessions: sessionRows, isFactorMissing, liveness, clock };
  return {
    sessionRows,
    evictions,
    liveness,
    publishedKeys: keys.published,
    introspect: createIntrospection(reader),
    sessions: watch === undefined ? sessions : watchSessions(sessions, watch.session),
  };
}

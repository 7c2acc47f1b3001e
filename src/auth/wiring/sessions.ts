import { baseUrl } from "../../core/address/url.parts.ts";
import { createEvictions } from "../flow/eviction/eviction.ts";
import type { HookGate } from "../flow/hook.gate.ts";
import { createDelegationRepository } from "../delegation/delegation.repository.ts";
import { createDelegations } from "../delegation/delegations.ts";
import { createAccessTokens, type TokenSession, type TokenUser } from "../session/access.token.ts";
import { createClaims, furtherClaims, type Claims } from "../session/claims/claims.ts";
import { createClaimReader, type ClaimReader } from "../session/claims/claims.repository.ts";
import { createIntrospection } from "../session/introspection.ts";
import type { JsonObject } from "../metadata/merge.patch.ts";
import { createLiveness } from "../session/liveness.ts";
import { createRefreshTokens } from "../session/refresh.token.ts";
import { createSessionRepository } from "../session/session.repository.ts";
import { createSessionService } from "../session/session.service.ts";
import { watchSessions } from "../session/session.watch.ts";
import { createShownClaims } from "../session/claims/shown.claims.ts";
import { createTokenBearers } from "../token/token.bearers.ts";
import { createTokenKeys } from "../session/token.keys.ts";
import type { Factors } from "./factors.ts";
import type { MailRooms, Mails } from "./mails.ts";

export interface SessionRooms extends MailRooms {
  readonly mails: Mails;
  readonly factors: Factors;
}

export type Sessions = Awaited<ReturnType<typeof wireSessions>>;

/** Reads an account's claims for each token that is signed. An account that is not stored yet is the one that signs in. */
const claimsBy =
  (claims: Claims, claimedOf: ClaimReader, beforeToken: HookGate["beforeToken"]) =>
  async (user: TokenUser, session: TokenSession): Promise<JsonObject> => {
    const account = (await claimedOf(user.id, session.id)) ?? { ...nobody, ...user };
    if (beforeToken === undefined) return claims(account);
    const asked = { ...account, id: user.id, username: user.username };
    return claims(
      account,
      furtherClaims(await beforeToken({ user: asked, method: session.cameBy, sessionId: session.id })),
    );
  };

const nobody = {
  roles: "",
  email: "",
  emailVerifiedAt: null,
  displayName: "",
  locale: null,
  externalId: null,
  appMetadata: null,
};

interface TokenParts {
  readonly options: Pick<SessionRooms["options"], "config" | "clock" | "log">;
  readonly base: Pick<SessionRooms["base"], "personalTokens" | "gate">;
  readonly claimedOf: ClaimReader;
}

/** Access tokens, the claims that they and the answers about them show, where any are set, and personal tokens. */
async function wireTokens({ options: { config, clock, log }, base, claimedOf }: TokenParts) {
  const { app, auth } = config;
  const keys = await createTokenKeys({
    secret: auth.jwtSecret,
    previousSecrets: auth.jwtPreviousSecrets,
    privateKey: auth.jwtPrivateKey,
    previousPublicKeys: auth.jwtPreviousPublicKeys,
  });
  const naming = { issuer: baseUrl(app.url), audience: app.name };
  const beforeToken = base.gate?.beforeToken;
  const isClaimed = auth.tokenClaims.length > 0 || beforeToken !== undefined;
  const claims = isClaimed ? createClaims({ names: auth.tokenClaims, log }) : undefined;
  const accessTokens = createAccessTokens({
    ...naming,
    keys,
    ttlMs: auth.accessTtlMs,
    claimsOf: claims && claimsBy(claims, claimedOf, beforeToken),
    keepsMore: beforeToken !== undefined,
    clock,
  });
  const bearerOf = auth.personalTokensEnabled
    ? createTokenBearers({ config: auth, tokens: base.personalTokens, clock, log })
    : undefined;
  const shown = claims && createShownClaims(claims, accessTokens);
  return { ...naming, accessTokens, shown, bearerOf, publishedKeys: keys.published };
}

/** Sessions, the tokens by which they are found, and what ends them together with all else that stands on an old proof. */
export async function wireSessions({
  options: { config, database, identities, watch, clock, log },
  base: { users, personalTokens, journal, gate },
  mails: { grants },
  factors: { challenges, storedFactors },
}: SessionRooms) {
  const { app, auth } = config;
  // What is read of a session besides, where inspects are on and where a second factor is required.
  const hasClaims = auth.tokenClaims.length > 0;
  const reads = {
    debug: watch !== undefined && app.debug > 0,
    factors: auth.mfaRequired,
    claims: hasClaims,
    organizations: config.organizations.enabled,
  };
  const sessionRows = createSessionRepository(database, app.name, reads);
  const evictions = createEvictions({
    users,
    personalTokens,
    sessionRows,
    challenges,
    identities,
    storedFactors,
    grants,
    clock,
  });
  const claimedOf = createClaimReader(database, config.organizations.enabled);
  const tokens = await wireTokens({ options: { config, clock, log }, base: { personalTokens, gate }, claimedOf });
  const { publishedKeys, ...readers } = tokens;
  const refreshTokens = createRefreshTokens(auth.jwtSecret, auth.jwtPreviousSecrets);
  const liveness = createLiveness({ idleTtlMs: auth.sessionIdleTtlMs, clock });
  const sessions = createSessionService({
    config: auth,
    database,
    journal,
    sessions: sessionRows,
    evictEverywhere: (userId) => evictions.evict(userId, "signed_out_everywhere", { onlyWithSessions: true }),
    users,
    accessTokens: tokens.accessTokens,
    refreshTokens,
    clock,
    log,
  });
  const rows = createDelegationRepository(database, config.organizations.enabled);
  const held = { config: auth, database, journal, users, sessions: sessionRows, rows };
  const delegations = createDelegations({ ...held, liveness, refreshTokens, clock });
  const { isFactorMissing } = sessions;
  return {
    sessionRows,
    evictions,
    liveness,
    publishedKeys,
    delegations,
    accessTokens: tokens.accessTokens,
    introspect: createIntrospection({ ...readers, sessions: sessionRows, isFactorMissing, liveness, clock }),
    shownClaims: tokens.shown,
    bearerOf: tokens.bearerOf,
    sessions: watch === undefined ? sessions : watchSessions(sessions, watch.session),
  };
}

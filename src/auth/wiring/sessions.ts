import { shorteningBits } from "../../core/address/address.ts";
import { baseUrl } from "../../core/address/url.parts.ts";
import { createEvictions } from "../flow/eviction/eviction.ts";
import type { HookGate } from "../flow/hook.gate.ts";
import { createDelegationRepository } from "../delegation/delegation.repository.ts";
import { createDelegations } from "../delegation/delegations.ts";
import { createImpersonationRepository } from "../impersonation/impersonation.repository.ts";
import { createImpersonations } from "../impersonation/impersonations.ts";
import { createAccessTokens, type AccessTokens, type TokenSession, type TokenUser } from "../session/access.token.ts";
import { createClaims, furtherClaims, type Claims } from "../session/claims/claims.ts";
import { createClaimReader, type ClaimReader } from "../session/claims/claims.repository.ts";
import { createIntrospection } from "../session/introspection.ts";
import { createIssuer } from "../session/issuer.ts";
import type { JsonObject } from "../metadata/merge.patch.ts";
import { createLiveness, type Liveness } from "../session/liveness.ts";
import { createRefreshTokens, type RefreshTokens } from "../session/refresh.token.ts";
import { createSessionRepository, type SessionRepository } from "../session/session.repository.ts";
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

interface OtherParts {
  readonly options: Pick<SessionRooms["options"], "config" | "database" | "clock">;
  readonly base: Pick<SessionRooms["base"], "users" | "journal">;
  readonly shared: {
    readonly liveness: Liveness;
    readonly sessionRows: SessionRepository;
    readonly refreshTokens: RefreshTokens;
    readonly accessTokens: AccessTokens;
  };
}

/** Sessions that are not a person's own doing: those of programs, and those of staff in somebody's name. */
function wireOthers({ options: { config, database, clock }, base: { users, journal }, shared }: OtherParts) {
  const { liveness, sessionRows: sessions, refreshTokens, accessTokens } = shared;
  const common = { config: config.auth, journal, users, refreshTokens, clock };
  return {
    delegations: createDelegations({
      ...common,
      database,
      sessions,
      rows: createDelegationRepository(
        database,
        config.organizations.enabled,
        shorteningBits(config.audit.addressBits),
      ),
      liveness,
    }),
    impersonations: createImpersonations({
      ...common,
      rows: createImpersonationRepository(database),
      issuer: createIssuer({ accessTokens, refreshTokens }),
    }),
  };
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
  const reads = {
    debug: watch !== undefined && app.debug > 0,
    factors: auth.mfaRequired,
    claims: auth.tokenClaims.length > 0,
    organizations: config.organizations.enabled,
    impersonation: app.name === "app" && auth.impersonators.length > 0,
  };
  const addressBits = shorteningBits(config.audit.addressBits);
  const sessionRows = createSessionRepository(database, app.name, reads, addressBits);
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
  const { isFactorMissing } = sessions;
  const shared = { liveness, sessionRows, refreshTokens, accessTokens: tokens.accessTokens };
  return {
    ...wireOthers({ options: { config, database, clock }, base: { users, journal }, shared }),
    sessionRows,
    evictions,
    liveness,
    publishedKeys,
    accessTokens: tokens.accessTokens,
    introspect: createIntrospection({ ...readers, sessions: sessionRows, isFactorMissing, liveness, clock }),
    shownClaims: tokens.shown,
    bearerOf: tokens.bearerOf,
    sessions: watch === undefined ? sessions : watchSessions(sessions, watch.session),
  };
}

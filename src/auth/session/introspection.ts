import type { Clock } from "../../core/clock.ts";
import { readRoles } from "../user/roles.ts";
import { actorClaim, levelClaims, type AccessTokens } from "./access.token.ts";
import { isPersonalToken } from "../token/personal.token.ts";
import type { TokenBearers } from "../token/token.bearers.ts";
import type { ShownClaims } from "./claims/shown.claims.ts";
import type { Liveness } from "./liveness.ts";
import type { SessionService } from "./session.service.ts";
import type { SessionRepository } from "./session.repository.ts";

interface IntrospectionOptions {
  /** Finds the bearer of a personal token; undefined where people make none. */
  readonly bearerOf: TokenBearers | undefined;
  readonly issuer: string;
  readonly audience: string;
  readonly accessTokens: AccessTokens;
  readonly sessions: Pick<SessionRepository, "findCaller">;
  /** Returns the claims that the operator has asked for; undefined where there are none. */
  readonly shown: ShownClaims | undefined;
  /** Whether the session may only set up its second factor: then its token counts as nobody's. */
  readonly isFactorMissing: SessionService["isFactorMissing"];
  readonly liveness: Liveness;
  readonly clock: Clock;
}

/**
 * Returns the bearer of an access token, decided by the session's row as everywhere (RFC 7662 §2.2); undefined for a token that opens
 * nothing. Leaves `last_seen_at` alone: a backend that asks is not the person, and must not keep an idle session alive.
 */
export function createIntrospection(options: IntrospectionOptions) {
  const { bearerOf, issuer, audience, accessTokens, sessions, shown, isFactorMissing, liveness, clock } = options;

  /** Answers for the script of a person. */
  async function ofScript(token: string) {
    const bearer = await bearerOf?.(token);
    return bearer === undefined
      ? undefined
      : {
          ...shown?.(bearer, []),
          sub: bearer.userId,
          username: bearer.username,
          email: bearer.email,
          email_verified: bearer.emailVerifiedAt !== null,
          roles: readRoles(bearer.roles),
          jti: bearer.id,
          aud: audience,
          iss: issuer,
          amr: ["pat"],
          iat: Math.floor(bearer.createdAt / 1000),
          exp: Math.floor(bearer.expiresAt / 1000),
        };
  }

  return async (token: string) => {
    if (isPersonalToken(token)) return ofScript(token);
    const claims = accessTokens.recall(token) ?? (await accessTokens.verify(token));
    if (claims === undefined) return undefined;
    const row = await sessions.findCaller(claims.sessionId);
    if (row === undefined || liveness.flawOf(row, clock.now()) !== undefined || isFactorMissing(row)) return undefined;
    return {
      ...shown?.(row, [token]),
      sub: row.userId,
      username: row.username,
      email: row.email,
      email_verified: row.emailVerifiedAt !== null,
      roles: readRoles(row.roles),
      sid: row.id,
      aud: audience,
      iss: issuer,
      ...levelClaims(row),
      ...actorClaim(row),
      iat: claims.issuedAt / 1000,
      exp: claims.expiresAt / 1000,
    };
  };
}

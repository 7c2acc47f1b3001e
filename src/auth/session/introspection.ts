import type { Clock } from "../../core/clock.ts";
import { readRoles } from "../user/roles.ts";
import { methodReferences, type AccessTokens } from "./access.token.ts";
import type { Liveness } from "./liveness.ts";
import type { SessionService } from "./session.service.ts";
import type { SessionRepository } from "./session.repository.ts";

interface IntrospectionOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly accessTokens: AccessTokens;
  readonly sessions: Pick<SessionRepository, "findCaller">;
  /** Whether the session may only set up its second factor: then its token counts as nobody's. */
  readonly isFactorMissing: SessionService["isFactorMissing"];
  readonly liveness: Liveness;
  readonly clock: Clock;
}

/**
 * Returns the bearer of an access token, decided by the session's row as everywhere (RFC 7662 §2.2); undefined for a token that opens
 * nothing. Leaves `last_seen_at` alone: a backend that asks is not the person, and must not keep an idle session alive.
 */
export const createIntrospection =
  ({ issuer, audience, accessTokens, sessions, isFactorMissing, liveness, clock }: IntrospectionOptions) =>
  async (token: string) => {
    const claims = accessTokens.recall(token) ?? (await accessTokens.verify(token));
    if (claims === undefined) return undefined;
    const row = await sessions.findCaller(claims.sessionId);
    if (row === undefined || liveness.flawOf(row, clock.now()) !== undefined || isFactorMissing(row)) return undefined;
    return {
      sub: row.userId,
      username: row.username,
      email: row.email,
      email_verified: row.emailVerifiedAt !== null,
      roles: readRoles(row.roles),
      sid: row.id,
      aud: audience,
      iss: issuer,
      ...(row.cameBy !== null && { amr: methodReferences(row) }),
      iat: claims.issuedAt / 1000,
      exp: claims.expiresAt / 1000,
    };
  };

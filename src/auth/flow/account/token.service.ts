import { day, second } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import type { Client } from "../../client.ts";
import { byUser } from "../../journal.ts";
import { noticeJob } from "../../mail/jobs.ts";
import type { SessionRow } from "../../session/session.repository.ts";
import { newPersonalToken } from "../../token/personal.token.ts";
import type { PersonalToken } from "../../token/token.repository.ts";
import type { Parts } from "../parts.ts";

/** How long a token is good, in seconds: from a minute to a year. */
export const tokenLifetime = { least: 60, most: (365 * day) / second, usual: (90 * day) / second } as const;

/** The most new tokens in an hour: each is told by mail. */
const tokensPerHour = 20;

interface NewToken {
  readonly name: string;
  readonly expiresInSeconds: number;
}

/** The tokens that people make for their own scripts. */
export function createTokenService(
  options: Parts<"personalTokens" | "journal" | "users" | "sessions" | "pressure" | "clock">,
) {
  const { personalTokens, journal, users, sessions, pressure, clock } = options;
  const about = (session: SessionRow, tokenId: string, client: Client) => ({
    payload: { user_id: session.userId, personal_token_id: tokenId },
    by: byUser(client),
    sessionId: session.id,
  });

  return {
    /** Returns the good tokens, the newest first. */
    list: (userId: string): Promise<readonly PersonalToken[]> => personalTokens.list(userId, clock.now()),

    /** Makes a token, and returns it this once. Throws `reauthentication_required` without a fresh proof, and `personal_token_limit`. */
    async create(session: SessionRow, { name, expiresInSeconds }: NewToken, client: Client) {
      await sessions.requireFreshProof(session);
      await pressure.limitHourly("personal-token", session.userId, tokensPerHour);
      const { token, secretHash } = newPersonalToken();
      const now = clock.now();
      const made = { id: newId(), name, createdAt: now, expiresAt: now + expiresInSeconds * second, lastUsedAt: null };
      const created = await journal.commit({
        statements: [
          users.lock(session.userId),
          sessions.hold(session),
          personalTokens.insert({ ...made, userId: session.userId, secretHash }, now),
        ],
        jobs: [noticeJob("personal_token_created", { userId: session.userId }, { about: name, client })],
        tell: [{ topic: "auth.personal-token-created", ...about(session, made.id, client) }],
      });
      if (created.applied) return { token, made };
      throw new AppError(created.failedGuard === 2 ? "personal_token_limit" : "unauthorized");
    },

    /** Ends a token at once. Throws `personal_token_not_found` for an unknown, foreign or ended one alike. */
    async revoke(session: SessionRow, id: string, client: Client): Promise<void> {
      const revoked = await journal.commit({
        statements: [users.lock(session.userId), personalTokens.revoke(id, session.userId, clock.now())],
        tell: [{ topic: "auth.personal-token-revoked", ...about(session, id, client) }],
      });
      if (!revoked.applied) throw new AppError("personal_token_not_found");
    },
  };
}

export type TokenService = ReturnType<typeof createTokenService>;

import type { Config } from "../../config/index.ts";
import type { By } from "../../core/audit.ts";
import { minute, timestamp, type Clock } from "../../core/clock.ts";
import { tokenHash } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Client } from "../client.ts";
import { byUser, type Journal } from "../journal.ts";
import type { UserRepository } from "../user/user.repository.ts";
import type { AccessTokens } from "./access.token.ts";
import { createAuthentication } from "./authentication.service.ts";
import { deviceLabel } from "./device.ts";
import { createIssuer } from "./issuer.ts";
import { createLiveness } from "./liveness.ts";
import type { RefreshTokens } from "./refresh.token.ts";
import { createRotation } from "./rotation.service.ts";
import type { SessionRepository, SessionRow } from "./session.repository.ts";

interface SessionOptions {
  readonly config: Pick<Config["auth"], "sessionTtlMs" | "rememberSessionTtlMs" | "sessionIdleTtlMs">;
  readonly database: Database;
  readonly journal: Journal;
  readonly sessions: SessionRepository;
  readonly users: UserRepository;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long after a sign-in, or after the password was given again, acts that would hurt in other hands are open. */
const freshProofMs = 10 * minute;

/** The life of a session: opened, found again by its tokens, its secret swapped, ended. */
export function createSessionService(options: SessionOptions) {
  const { config, journal, sessions, clock } = options;
  const idleTtlMs = config.sessionIdleTtlMs;
  const liveness = createLiveness({ idleTtlMs, clock });
  const issuer = createIssuer(options);

  return {
    ...createAuthentication({ ...options, idleTtlMs, liveness }),
    ...createRotation({ ...options, liveness, issuer }),

    /** A new session, as the statement that creates it and the tokens that are good once it is committed. */
    async open(user: { id: string; username: string }, client: Client, remembered: boolean) {
      const now = clock.now();
      const secret = issuer.newSecret();
      const session = {
        id: newId(),
        remembered,
        expiresAt: now + (remembered ? config.rememberSessionTtlMs : config.sessionTtlMs),
      };
      const statement: Statement = sessions.insert({
        id: session.id,
        userId: user.id,
        secretHash: tokenHash(secret),
        remembered: remembered ? 1 : 0,
        userAgent: client.userAgent.slice(0, 512),
        ipAddress: client.address,
        now,
        expiresAt: session.expiresAt,
      });
      return { id: session.id, statement, issued: await issuer.issue(session, user, 1, secret) };
    },

    /** The guard of a batch that is to apply only while this session is live. */
    hold: ({ id, userId }: SessionRow): Statement => sessions.hold(id, userId, clock.now(), liveness.idleSince()),

    /** A session proven by a clock that was far ahead counts as not proven, rather than as proven until that time has come. */
    async hasFreshProof({ id }: SessionRow): Promise<boolean> {
      const provedAt = await sessions.provedAt(id);
      return provedAt !== undefined && Math.abs(clock.now() - provedAt) < freshProofMs;
    },

    /** For the batch of whatever proved the session's user once more. */
    prove: ({ id }: SessionRow): Statement => sessions.prove(id, clock.now()),

    async end(rows: readonly SessionRow[], client: Client): Promise<void> {
      for (const { id, userId } of rows)
        await journal.commit({
          statements: [sessions.revoke(id, userId, clock.now())],
          tell: [{ topic: "auth.logged-out", payload: { user_id: userId, session_id: id }, by: byUser(client) }],
        });
    },

    /** Resolves to how many there were; without any, nothing is written down. */
    async endAll(userId: string, topic: "auth.logged-out" | "auth.session-revoked", by: By): Promise<number> {
      const ended = await journal.commit({
        statements: [{ ...sessions.revokeAll(userId, clock.now()), guard: true }],
        tell: [{ topic, payload: { user_id: userId, session_id: null }, by, reason: "all_sessions" }],
      });
      return ended.applied ? (ended.results[0]?.changes ?? 0) : 0;
    },

    /** Throws `session_not_found` for an unknown, foreign or ended session alike. */
    async revoke(id: string, userId: string, client: Client): Promise<void> {
      const { applied } = await journal.commit({
        statements: [sessions.revokeListed(id, userId, clock.now(), liveness.idleSince())],
        tell: [{ topic: "auth.session-revoked", payload: { user_id: userId, session_id: id }, by: byUser(client) }],
      });
      if (!applied) throw new AppError("session_not_found");
    },

    async list(current: SessionRow) {
      const rows = await sessions.listLive(current.userId, clock.now(), liveness.idleSince());
      return rows.map((row) => ({
        id: row.id,
        current: row.id === current.id,
        device_label: deviceLabel(row.userAgent),
        user_agent: row.userAgent,
        ip_address: row.ipAddress,
        created_at: timestamp(row.createdAt),
        last_seen_at: timestamp(row.lastSeenAt),
        expires_at: timestamp(row.expiresAt),
        remembered: row.remembered === 1,
      }));
    },
  };
}

export type SessionService = ReturnType<typeof createSessionService>;

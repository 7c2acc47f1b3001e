import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Config } from "../../config/index.ts";
import type { By } from "../../core/audit.ts";
import { timestamp, type Clock } from "../../core/clock.ts";
import { tokenHash } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Database, RunResult, Statement } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Client } from "../client.ts";
import { byUser, type Journal } from "../journal.ts";
import type { Level } from "../factor/level.ts";
import type { UserRepository } from "../user/user.repository.ts";
import type { AccessTokens, TokenUser } from "./access.token.ts";
import { createAuthentication } from "./authentication.service.ts";
import { deviceLabel } from "../device.ts";
import { createIssuer } from "./issuer.ts";
import { createLiveness } from "./liveness.ts";
import type { RefreshTokens } from "./refresh.token.ts";
import { createRotation } from "./rotation.service.ts";
import { createSessionProofs } from "./session.proofs.ts";
import { holderOf, impersonatorOf, isImpersonated } from "./session.columns.ts";
import type { SessionRepository, SessionRow } from "./session.repository.ts";

interface EvictedSessions {
  readonly statements: readonly Statement[];
  sessionsEnded(results: readonly RunResult[]): number;
}

export interface SessionOptions {
  readonly config: Pick<
    Config["auth"],
    "sessionTtlMs" | "rememberSessionTtlMs" | "sessionIdleTtlMs" | "maxSessions" | "mfaRequired"
  >;
  readonly database: Database;
  readonly journal: Journal;
  readonly sessions: SessionRepository;
  /** Returns the eviction that ends every session of a user, and does nothing where there is none. */
  readonly evictEverywhere: (userId: string) => EvictedSessions;
  readonly users: UserRepository;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly clock: Clock;
  readonly log: Log;
}

const DisplacedRow = Type.Object({ id: Type.String() });

/** The life of a session: opened, found again by its tokens, its secret swapped, ended. */
export function createSessionService(options: SessionOptions) {
  const { config, database, journal, sessions, evictEverywhere, users, accessTokens, refreshTokens, clock, log } =
    options;
  const idleTtlMs = config.sessionIdleTtlMs;
  const liveness = createLiveness({ idleTtlMs, clock });
  const issuer = createIssuer({ accessTokens, refreshTokens });
  const found = { idleTtlMs, database, sessions, users, liveness, accessTokens, refreshTokens, clock, log };

  return {
    ...createAuthentication({ ...found, rows: sessions }),
    /** Authenticates for routes that have to say who is calling: the row has more of the user. */
    identify: createAuthentication({
      ...found,
      rows: { find: sessions.findCaller, findRefreshable: sessions.findRefreshableCaller },
    }).authenticate,
    ...createRotation({ database, journal, sessions, users, liveness, issuer, refreshTokens, clock, log }),
    ...createSessionProofs({ config, sessions, clock }),

    /**
     * Makes a new session: statements for a batch that holds the user's row, and the tokens that are good once it is committed. The first
     * statement makes room for the session, and returns the rows that `recordDisplaced` takes. Because the user is held, sign-ins at the
     * same time take turns, and each counts the sessions of the last.
     */
    async open(user: TokenUser, client: Client, remembered: boolean, level: Level) {
      const now = clock.now();
      const secret = refreshTokens.newSecret();
      const secretHash = tokenHash(secret);
      const session = {
        id: newId(),
        remembered,
        ...level,
        provedAt: now,
        expiresAt: now + (remembered ? config.rememberSessionTtlMs : config.sessionTtlMs),
      };
      const makeRoom = sessions.revokeOldest(user.id, config.maxSessions - 1, now, liveness.idleSince());
      const insert = sessions.insert({
        id: session.id,
        userId: user.id,
        secretHash,
        remembered: remembered ? 1 : 0,
        userAgent: client.userAgent.slice(0, 512),
        ipAddress: client.address,
        now,
        expiresAt: session.expiresAt,
        ...level,
      });
      return { id: session.id, statements: [makeRoom, insert], issued: await issuer.issue(session, user, 1, secret) };
    },

    /** Writes down which sessions were ended to make room, known only once they are. A failure here undoes no sign-in. */
    async recordDisplaced(userId: string, displaced: readonly unknown[], client: Client): Promise<void> {
      const [first, ...others] = displaced.flatMap((row) => (Value.Check(DisplacedRow, row) ? [row.id] : []));
      if (first === undefined) return;
      const payload = { user_id: userId, session_id: others.length === 0 ? first : null };
      try {
        await journal.commit({
          tell: [{ topic: "auth.session-revoked", payload, by: byUser(client), reason: "too_many_sessions" }],
        });
      } catch (error) {
        log.error("sessions that made room for another are not in the audit log", { user: userId, displaced, error });
      }
    },

    /** Guards a batch that applies only while this session is live. */
    hold: ({ id, userId }: SessionRow): Statement => sessions.hold(id, userId, clock.now(), liveness.idleSince()),

    /** The person has signed out, unless it was staff in their name: of those the database itself writes down the end. */
    async end(rows: readonly Pick<SessionRow, "id" | "userId" | "impersonatorId">[], client: Client): Promise<void> {
      for (const { id, userId, impersonatorId } of rows) {
        const payload = { user_id: userId, session_id: id };
        await journal.commit({
          statements: [sessions.revoke(id, userId, clock.now(), "logged_out")],
          tell: isImpersonated({ impersonatorId }) ? [] : [{ topic: "auth.logged-out", payload, by: byUser(client) }],
        });
      }
    },

    /** Resolves to how many sessions were ended; without any, nothing is written down. */
    async endAll(userId: string, by: By): Promise<number> {
      const evicted = evictEverywhere(userId);
      const ended = await journal.commit({
        statements: evicted.statements,
        tell: [
          { topic: "auth.logged-out", payload: { user_id: userId, session_id: null }, by, reason: "all_sessions" },
        ],
      });
      return ended.applied ? evicted.sessionsEnded(ended.results) : 0;
    },

    /** Throws `session_not_found` for an unknown, foreign or ended session alike. */
    async revoke(id: string, userId: string, client: Client): Promise<void> {
      const { applied } = await journal.commit({
        statements: [sessions.revokeListed(id, userId, clock.now(), liveness.idleSince())],
        tell: [{ topic: "auth.session-revoked", payload: { user_id: userId, session_id: id }, by: byUser(client) }],
      });
      if (!applied) throw new AppError("session_not_found");
    },

    /** Ends a session that its user says to be somebody else's. Does nothing where it has ended. */
    async reject(id: string, userId: string, client: Client): Promise<void> {
      const payload = { user_id: userId, session_id: id };
      await journal.commit({
        statements: [sessions.revoke(id, userId, clock.now(), "sign_in_rejected")],
        tell: [{ topic: "auth.session-revoked", payload, by: byUser(client), reason: "sign_in_rejected" }],
      });
    },

    async list(current: SessionRow) {
      const rows = await sessions.listLive(current.userId, current.id, clock.now(), liveness.idleSince());
      return rows.map((row) => ({
        id: row.id,
        current: row.id === current.id,
        device_label: row.impersonatorId === null ? deviceLabel(row.userAgent) : "Support",
        user_agent: row.userAgent,
        ip_address: row.ipAddress,
        created_at: timestamp(row.createdAt),
        last_seen_at: timestamp(row.lastSeenAt),
        expires_at: timestamp(row.expiresAt),
        remembered: row.remembered === 1,
        factor: row.factor,
        client: holderOf(row),
        impersonator: impersonatorOf(row),
      }));
    },
  };
}

export type SessionService = ReturnType<typeof createSessionService>;

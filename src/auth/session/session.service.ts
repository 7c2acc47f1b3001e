import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Config } from "../../config/index.ts";
import { minute, timestamp, type Clock, type Millis } from "../../core/clock.ts";
import { tokenHash } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import type { SessionFlaw } from "../../core/flaws.ts";
import { newId } from "../../core/ids.ts";
import type { By } from "../../core/audit.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { AccessTokens } from "./access.token.ts";
import type { Client } from "../client.ts";
import { deviceLabel } from "./device.ts";
import { noticeJob } from "../mail/jobs.ts";
import { byNobody, byUser, type Journal } from "../journal.ts";
import type { RefreshToken, RefreshTokens } from "./refresh.token.ts";
import type { RefreshableSession, SessionRepository, SessionRow } from "./session.repository.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";

export interface Credentials {
  /** An access JWT given as `Authorization: Bearer`; excludes the cookies. */
  readonly bearer: string | undefined;
  readonly access: string | undefined;
  /** Asked for only when the access token does not serve. */
  readonly refresh: () => string | undefined;
}

/** What the browser is to hold after a sign-in or a rotation. */
export interface IssuedSession {
  readonly access: string;
  readonly refresh: string;
  readonly remembered: boolean;
  readonly expiresAt: Millis;
}

/** How it came about, for who watches: why the access token was of no use, where the refresh cookie was looked at. */
interface Course {
  readonly access?: SessionFlaw;
  readonly refresh?: SessionFlaw;
}
export type Authentication = Course &
  (
    | { readonly session: SessionRow; readonly reissuedAccess: string | undefined }
    | { readonly refused: SessionFlaw; readonly row?: SessionRow | undefined }
  );

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

/** How long the fallback still takes the secret before the current one, for a burst already in flight (CONTRACT §3). */
const rotationGraceMs = 10_000;

const RekeyedRow = Type.Object({ generation: Type.Number() });

export function createSessionService(options: SessionOptions) {
  const { config, database, journal, sessions, users, accessTokens, refreshTokens, clock, log } = options;
  const touchEveryMs = Math.min(minute, config.sessionIdleTtlMs / 4);
  const idleSince = (): Millis => clock.now() - config.sessionIdleTtlMs;

  function flaw(row: SessionRow | undefined, now: Millis): SessionFlaw | undefined {
    if (row === undefined) return "session_not_found";
    if (row.revokedAt !== null) return "session_revoked";
    if (row.expiresAt <= now) return "session_expired";
    if (row.remembered === 0 && row.lastSeenAt + config.sessionIdleTtlMs <= now) return "session_idle_expired";
    return row.userActive === 1 ? undefined : "user_inactive";
  }

  /** Keeps `last_seen_at` within a minute of the truth, so that most reads stay reads. */
  async function touch(row: SessionRow): Promise<void> {
    const now = clock.now();
    try {
      await database.batch([sessions.touch(row.id, now), users.seen(row.userId, now)], { durable: false });
    } catch (error) {
      log.warn("last_seen_at not written", { session: row.id, error });
    }
  }

  function accept(row: SessionRow | undefined): Authentication | Promise<Authentication> {
    const now = clock.now();
    const refused = flaw(row, now);
    if (row === undefined || refused !== undefined) return { refused: refused ?? "session_not_found", row };
    const accepted = { session: row, reissuedAccess: undefined };
    return row.lastSeenAt + touchEveryMs > now ? accepted : touch(row).then(() => accepted);
  }

  /** The access token did not serve. */
  async function authenticateAnew({ bearer, access, refresh }: Credentials): Promise<Authentication> {
    const token = bearer ?? access;
    const claims = token === undefined ? undefined : await accessTokens.verify(token);
    if (claims !== undefined) return accept(await sessions.find(claims.sessionId));
    if (bearer !== undefined) return { refused: "invalid_access_token" };
    const flaw = token === undefined ? "missing_access_cookie" : "invalid_access_token";
    const refreshToken = refresh();
    if (refreshToken === undefined) return { refused: flaw, access: flaw, refresh: "missing_refresh_cookie" };
    return { ...(await fallBack(refreshToken)), access: flaw };
  }

  function matchSecret(row: RefreshableSession, token: RefreshToken): SessionFlaw | undefined {
    if (token.generation === row.generation) {
      return token.secretHash === row.secretHash ? undefined : "invalid_refresh_token";
    }
    // Newer than the row: the database is an older copy of itself (a restored backup), and nothing was swapped out.
    if (token.generation > row.generation) return "invalid_refresh_token";
    const inGrace = row.rotatedAt !== null && clock.now() - row.rotatedAt <= rotationGraceMs;
    return inGrace ? "refresh_hash_mismatch_grace" : "refresh_hash_mismatch";
  }

  /** Serves a request whose access cookie is missing or stale. Re-issues the access cookie alone; never rotates. */
  async function fallBack(refresh: string): Promise<Authentication> {
    const token = refreshTokens.parse(refresh);
    if (token === undefined) return { refused: "invalid_refresh_token" };
    const row = await sessions.findRefreshable(token.sessionId);
    const accepted = await accept(row);
    if (row === undefined || "refused" in accepted) return accepted;
    const mismatch = matchSecret(row, token);
    const justSwappedOut = mismatch === "refresh_hash_mismatch_grace" && token.generation === row.generation - 1;
    if (mismatch !== undefined && !justSwappedOut) return { refused: mismatch, row };
    const reissuedAccess = await accessTokens.sign({ id: row.userId, username: row.username }, row);
    return { session: row, reissuedAccess, ...(mismatch && { refresh: mismatch }) };
  }

  /** A secret that was really issued and long since swapped out is in two hands: the session ends (RFC 9700 §4.14.2). */
  async function endStolen(row: SessionRow, client: Client): Promise<void> {
    const ended = await journal.commit(
      [sessions.revoke(row.id, row.userId, clock.now())],
      [noticeJob("refresh_reused", { userId: row.userId })],
      [
        {
          topic: "auth.refresh-reused",
          payload: { user_id: row.userId, session_id: row.id },
          by: byNobody(client),
          outcome: "failure",
        },
      ],
    );
    if (ended.applied)
      log.warn("a swapped-out refresh token was used: session revoked", { session: row.id, user: row.userId });
  }

  async function issued(
    session: { id: string; expiresAt: Millis; remembered: boolean },
    user: { id: string; username: string },
    generation: number,
    secret: string,
  ): Promise<IssuedSession> {
    return {
      access: await accessTokens.sign(user, session),
      refresh: refreshTokens.format(session.id, generation, secret),
      remembered: session.remembered,
      expiresAt: session.expiresAt,
    };
  }

  return {
    /**
     * The access token decides; only when it is missing or not verifiable is the refresh cookie looked at (SEED §5.2).
     * A token seen before costs one promise, the row's: this is the path of nearly every protected request.
     */
    authenticate(credentials: Credentials): Promise<Authentication> {
      const token = credentials.bearer ?? credentials.access;
      const claims = token === undefined ? undefined : accessTokens.recall(token);
      return claims === undefined ? authenticateAnew(credentials) : sessions.find(claims.sessionId).then(accept);
    },

    /** A new session, as the statement that creates it and the tokens that are good once it is committed. */
    async open(user: { id: string; username: string }, client: Client, remembered: boolean) {
      const now = clock.now();
      const secret = refreshTokens.newSecret();
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
      return { id: session.id, statement, issued: await issued(session, user, 1, secret) };
    },

    /**
     * Swaps the refresh secret (SEED §3). Only the newest one works; an older one that is no race ends the session. Who
     * watches is told which session it was that a refusal is about.
     */
    async rotate(
      refresh: string | undefined,
      client: Client,
      onRefusal?: (flaw: SessionFlaw, row: SessionRow | undefined) => void,
    ): Promise<{ user: UserRow; issued: IssuedSession }> {
      function refusal(flaw: SessionFlaw, row?: SessionRow): AppError {
        onRefusal?.(flaw, row);
        return new AppError("unauthorized", { flaw });
      }
      const token = refresh === undefined ? undefined : refreshTokens.parse(refresh);
      if (token === undefined)
        throw refusal(refresh === undefined ? "missing_refresh_cookie" : "invalid_refresh_token");
      const row = await sessions.findRefreshable(token.sessionId);
      const ended = flaw(row, clock.now());
      if (row === undefined || ended !== undefined) throw refusal(ended ?? "session_not_found", row);
      const mismatch = matchSecret(row, token);
      if (mismatch === "refresh_hash_mismatch") await endStolen(row, client);
      if (mismatch !== undefined) throw refusal(mismatch, row);
      // Read before the swap: whose new secret is committed must get it, whatever the next read would come to.
      const user = await users.byId(row.userId);
      if (user === undefined) throw refusal("session_not_found", row);

      const secret = refreshTokens.newSecret();
      const swap = sessions.rotate(
        row.id,
        { hash: token.secretHash, generation: token.generation },
        tokenHash(secret),
        clock.now(),
        idleSince(),
      );
      const { changes } = await database.run(swap.sql, swap.params);
      // Another request has rotated it, or ended it, since it was read.
      if (changes !== 1) throw refusal("refresh_hash_mismatch_grace", row);
      const session = { id: row.id, expiresAt: row.expiresAt, remembered: row.remembered === 1 };
      return { user, issued: await issued(session, user, row.generation + 1, secret) };
    },

    /** A new secret for a session that goes on, whatever the old one is by then: the guard of the batch that calls for it. */
    rekey(row: SessionRow, user: { id: string; username: string }) {
      const secret = refreshTokens.newSecret();
      return {
        statement: sessions.rekey(row.id, tokenHash(secret), clock.now(), idleSince()),
        /** Takes what the statement returned, not the row of a moment later: a session may have ended since, yet this was done. */
        issued([rekeyed]: readonly unknown[]): Promise<IssuedSession> {
          if (!Value.Check(RekeyedRow, rekeyed)) throw new Error("the rekeyed session returned no generation");
          const session = { id: row.id, expiresAt: row.expiresAt, remembered: row.remembered === 1 };
          return issued(session, user, rekeyed.generation, secret);
        },
      };
    },

    /** The guard of a batch that is to apply only while this session is live. */
    hold: ({ id, userId }: SessionRow): Statement => sessions.hold(id, userId, clock.now(), idleSince()),

    async end({ id, userId }: SessionRow, client: Client): Promise<void> {
      await journal.commit(
        [sessions.revoke(id, userId, clock.now())],
        [],
        [{ topic: "auth.logged-out", payload: { user_id: userId, session_id: id }, by: byUser(client) }],
      );
    },

    /** Resolves to how many there were; without any, nothing is written down. */
    async endAll(userId: string, topic: "auth.logged-out" | "auth.session-revoked", by: By): Promise<number> {
      const ended = await journal.commit(
        [{ ...sessions.revokeAll(userId, clock.now()), guard: true }],
        [],
        [{ topic, payload: { user_id: userId, session_id: null }, by, reason: "all_sessions" }],
      );
      return ended.applied ? (ended.results[0]?.changes ?? 0) : 0;
    },

    /** Throws `session_not_found` for an unknown, foreign or ended session alike. */
    async revoke(id: string, userId: string, client: Client): Promise<void> {
      const { applied } = await journal.commit(
        [sessions.revokeListed(id, userId, clock.now(), idleSince())],
        [],
        [{ topic: "auth.session-revoked", payload: { user_id: userId, session_id: id }, by: byUser(client) }],
      );
      if (!applied) throw new AppError("session_not_found");
    },

    async list(current: SessionRow) {
      const rows = await sessions.listLive(current.userId, clock.now(), idleSince());
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

import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { dayOf, type Clock } from "../../core/clock.ts";
import { tokenHash } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import type { SessionFlaw } from "../../core/flaws.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Client } from "../client.ts";
import { byNobody, type Journal } from "../journal.ts";
import { noticeJob } from "../mail/jobs.ts";
import type { ShownUser, UserRepository } from "../user/user.repository.ts";
import type { IssuedSession, Issuer } from "./issuer.ts";
import { waysIn, type Proof } from "../factor/level.ts";
import { factorNames } from "../factor/method.ts";
import { flawBehind, type Liveness } from "./liveness.ts";
import { secretMismatch, type RefreshToken, type RefreshTokens } from "./refresh.token.ts";
import type { RefreshableSession, RotatingSession, SessionRepository, SessionRow } from "./session.repository.ts";

/** Called with the session, so that an inspect can say whose refresh was refused. */
type OnRefusal = (flaw: SessionFlaw, row: SessionRow | undefined) => void;

const RekeyedRow = Type.Object({
  generation: Type.Number(),
  provedAt: Type.Number(),
  cameBy: Type.Union([...waysIn.map((way) => Type.Literal(way)), Type.Null()]),
  factor: Type.Union([...factorNames.map((name) => Type.Literal(name)), Type.Null()]),
});

const sessionOf = (row: Omit<SessionRow, "factor">, { cameBy, factor, provedAt }: Proof) => ({
  id: row.id,
  expiresAt: row.expiresAt,
  remembered: row.remembered === 1,
  impersonatorId: row.impersonatorId,
  cameBy,
  factor,
  provedAt,
});

/** Returns the user as read with the session. No read follows a swap: the owner must get the new secret, and a read could fail. */
const userOf = ({ secretHash: _secretHash, ...row }: RotatingSession): ShownUser => ({
  ...row,
  id: row.userId,
  active: row.userActive,
  lastSeenAt: row.userLastSeenAt,
  createdAt: row.userCreatedAt,
});

/** Swaps refresh secrets. The row has only the hash of the newest one. */
export function createRotation(options: {
  readonly database: Database;
  readonly journal: Journal;
  readonly sessions: SessionRepository;
  readonly users: Pick<UserRepository, "seen">;
  readonly liveness: Liveness;
  readonly issuer: Issuer;
  readonly refreshTokens: RefreshTokens;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { database, journal, sessions, users, liveness, issuer, refreshTokens, clock, log } = options;

  /** Ends the session of a secret that was issued and long since swapped out: two clients have it (RFC 9700 §4.14.2). */
  async function endStolen(row: SessionRow, client: Client): Promise<void> {
    const ended = await journal.commit({
      statements: [sessions.revoke(row.id, row.userId, clock.now(), "refresh_reused")],
      jobs: [noticeJob("refresh_reused", { userId: row.userId }, { client })],
      tell: [
        {
          topic: "auth.refresh-reused",
          payload: { user_id: row.userId, session_id: row.id },
          by: byNobody(client),
          outcome: "failure",
        },
      ],
    });
    if (ended.applied)
      log.warn("a swapped-out refresh token was used: session revoked", { session: row.id, user: row.userId });
  }

  /** Compares and sets secret and generation: of two racing refreshes one wins, the other gets undefined. */
  async function swap(
    row: RefreshableSession,
    token: RefreshToken,
    secret = refreshTokens.newSecret(),
  ): Promise<string | undefined> {
    const now = clock.now();
    const from = { hash: token.secretHash, generation: token.generation };
    const statement = sessions.rotate(row.id, from, tokenHash(secret), now, liveness.idleSince());
    // The first request of a day, which is often this one, says that the person is there today.
    if (row.lastSeenAt < dayOf(now))
      return (await database.batch([users.seen(row.userId, now), statement])).applied ? secret : undefined;
    const { changes } = await database.run(statement.sql, statement.params);
    return changes === 1 ? secret : undefined;
  }

  /** Finds the session whose newest secret the token holds. Ends a session whose token was stolen. */
  async function check(
    refresh: string | undefined,
    client: Client,
    refuse: (...why: Parameters<OnRefusal>) => AppError,
  ) {
    const token = refresh === undefined ? undefined : refreshTokens.parse(refresh);
    if (token === undefined)
      throw refuse(refresh === undefined ? "missing_refresh_cookie" : "invalid_refresh_token", undefined);
    const row = await sessions.findRotating(token.sessionId);
    const flaw = liveness.flawOf(row, clock.now());
    if (row === undefined || flaw !== undefined)
      throw refuse(await flawBehind(flaw ?? "session_not_found", row, sessions), row);
    const mismatch = secretMismatch(row, token, clock.now());
    if (mismatch === "refresh_hash_mismatch") await endStolen(row, client);
    if (mismatch !== undefined) throw refuse(mismatch, row);
    return { row, token };
  }

  return {
    /** Swaps the refresh secret. Only the newest one works; an older one outside a race ends the session. */
    async rotate(
      refresh: string | undefined,
      client: Client,
      onRefusal?: OnRefusal,
    ): Promise<{ user: ShownUser; issued: IssuedSession; session: SessionRow }> {
      function refuse(flaw: SessionFlaw, row: SessionRow | undefined): AppError {
        onRefusal?.(flaw, row);
        return new AppError("unauthorized", { flaw });
      }
      const { row, token } = await check(refresh, client, refuse);
      const [user, session] = [userOf(row), sessionOf(row, row)];
      const claims = await issuer.claimsFor(user, session);
      const secret = await swap(row, token);
      if (secret === undefined) throw refuse("refresh_hash_mismatch_grace", row);
      return { user, issued: await issuer.issue(session, user, row.generation + 1, secret, claims), session: row };
    },

    /**
     * Rotates the refresh token of a page load. A browser loads several pages at once, and loads a page again whose answer was lost: such
     * loads do not take turns. The next secret is made from the token, so that all of them get the same one within the ten seconds in which
     * the earlier token is believed; after those it counts as stolen here as well. Undefined where there is nothing to rotate.
     */
    async renew(refresh: string | undefined, client: Client): Promise<IssuedSession | undefined> {
      const token = refresh === undefined ? undefined : refreshTokens.parse(refresh);
      const row = token && (await sessions.findRefreshable(token.sessionId));
      if (token === undefined || row === undefined || liveness.flawOf(row, clock.now()) !== undefined) return undefined;
      const mismatch = secretMismatch(row, token, clock.now());
      if (mismatch === "refresh_hash_mismatch") {
        await endStolen(row, client);
        return undefined;
      }
      const [generation, secret] = [token.generation + 1, token.successor()];
      const user = { id: row.userId, username: row.username };
      const claims = await issuer.claimsFor(user, sessionOf(row, row));
      const isSwapped = mismatch === undefined && (await swap(row, token, secret)) !== undefined;
      // Where another load of the same browser was first, its secret is the same.
      const current = isSwapped ? undefined : await sessions.findRefreshable(row.id);
      const isSame = current?.generation === generation && current.secretHash === tokenHash(secret);
      if (isSame && liveness.flawOf(current, clock.now()) !== undefined) return undefined;
      if (!isSwapped && !isSame) return undefined;
      return issuer.issue(sessionOf(row, row), user, generation, secret, claims);
    },

    /**
     * Makes a new secret for a session that goes on, whatever the old one is by then, with the guard of the batch that needs it. Throws
     * `denied_by_hook`.
     */
    async rekey(row: SessionRow, user: { readonly id: string; readonly username: string }) {
      const secret = refreshTokens.newSecret();
      const claims = await issuer.claimsFor(
        user,
        sessionOf(row, { cameBy: null, factor: null, provedAt: clock.now() }),
      );
      const statement: Statement = sessions.rekey(row.id, tokenHash(secret), clock.now(), liveness.idleSince());
      return {
        statement,
        /** Makes the tokens from the rows that the statement returned: the session may have ended since, but its secret was changed. */
        issued([rekeyed]: readonly unknown[]): Promise<IssuedSession> {
          if (!Value.Check(RekeyedRow, rekeyed)) throw new Error("the rekeyed session returned no generation");
          return issuer.issue(sessionOf(row, rekeyed), user, rekeyed.generation, secret, claims);
        },
      };
    },
  };
}

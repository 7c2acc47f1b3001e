import type { By } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { tokenHash } from "../../core/crypto.ts";
import type { SessionEnd, SessionFlaw } from "../../core/flaws.ts";
import { newId } from "../../core/ids.ts";
import type { Config } from "../../config/index.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import type { Level } from "../factor/level.ts";
import { byNobody, type Journal } from "../journal.ts";
import type { Liveness } from "../session/liveness.ts";
import { secretMismatch, type RefreshToken, type RefreshTokens } from "../session/refresh.token.ts";
import type { SessionRepository } from "../session/session.repository.ts";
import type { UserRepository } from "../user/user.repository.ts";
import type { DelegatedRow, RefreshableDelegation } from "./delegation.columns.ts";
import type { DelegationRepository } from "./delegation.repository.ts";

interface DelegationOptions {
  readonly config: Pick<Config["auth"], "sessionTtlMs" | "rememberSessionTtlMs">;
  readonly database: Database;
  readonly journal: Journal;
  readonly users: Pick<UserRepository, "lock">;
  readonly sessions: Pick<SessionRepository, "hold" | "rotate" | "revoke">;
  readonly rows: DelegationRepository;
  readonly liveness: Liveness;
  readonly refreshTokens: RefreshTokens;
  readonly clock: Clock;
}

/** The session of the browser by which a person lets a program in. */
interface Parent extends Level {
  readonly id: string;
  readonly userId: string;
  readonly provedAt: number;
  readonly remembered: number;
  readonly expiresAt: number;
}

interface Opening {
  readonly parent: Parent;
  readonly clientId: string;
  /** Whether what is granted outlives the session of the browser. */
  readonly isStanding: boolean;
  /** What is granted, as a text of JSON. */
  readonly delegation: string;
  readonly client: Client;
}

export type Refreshed =
  | { readonly row: DelegatedRow; readonly refresh: string }
  | { readonly refused: SessionFlaw | "other_client"; readonly row?: DelegatedRow | undefined };

/**
 * The sessions that programs hold for people: each hangs below the session of a browser, and is a row like any other. What ends rows ends
 * these, and what has not been granted to outlive the browser's session ends with that one.
 */
export function createDelegations(options: DelegationOptions) {
  const { config, database, journal, users, sessions, rows, liveness, refreshTokens, clock } = options;

  /** Returns why a program's session does not serve; undefined for a live one. */
  function flawOf(row: DelegatedRow | undefined): SessionFlaw | undefined {
    const now = clock.now();
    const flaw = liveness.flawOf(row, now);
    if (row === undefined || flaw !== undefined || row.standing === 1) return flaw;
    const { parentExpiresAt, parentLastSeenAt, parentRemembered, parentRevokedAt, userActive } = row;
    if (parentExpiresAt === null || parentLastSeenAt === null || parentRemembered === null) return "session_not_found";
    const above = { remembered: parentRemembered, lastSeenAt: parentLastSeenAt, expiresAt: parentExpiresAt };
    return liveness.flawOf({ ...above, revokedAt: parentRevokedAt, userActive }, now);
  }

  /** Guards a batch that acts by the session of a browser, which stays live meanwhile. */
  const holdParent = (id: string, userId: string): Statement =>
    sessions.hold(id, userId, clock.now(), liveness.idleSince());

  /** Changes a program's session while it is live, and the one above it. Resolves to false where something was first. */
  async function apply(row: DelegatedRow, change: Statement): Promise<boolean> {
    if (row.standing === 1 || row.parentId === null)
      return (await database.run(change.sql, change.params)).changes === 1;
    return (await database.batch([holdParent(row.parentId, row.userId), change])).applied;
  }

  /** Swaps the secret: of two at the same time one wins. The next secret is made from the token, and so is the same for both. */
  function swap(row: RefreshableDelegation, token: RefreshToken, secret: string): Promise<boolean> {
    const from = { hash: token.secretHash, generation: token.generation };
    return apply(row, sessions.rotate(row.id, from, tokenHash(secret), clock.now(), liveness.idleSince()));
  }

  async function end(row: DelegatedRow, reason: SessionEnd, by: By): Promise<boolean> {
    const payload = { user_id: row.userId, session_id: row.id };
    const topic = reason === "refresh_reused" ? "auth.refresh-reused" : "auth.session-revoked";
    const ended = await journal.commit({
      statements: [sessions.revoke(row.id, row.userId, clock.now(), reason)],
      tell: [{ topic, payload, by, reason, ...(reason === "refresh_reused" && { outcome: "failure" }) }],
    });
    return ended.applied;
  }

  return {
    flawOf,
    end,
    find: rows.find,
    ofUser: (userId: string) => rows.ofUser(userId, clock.now(), liveness.idleSince()),
    /** Returns what a person has let programs have when they were asked, newest first, at most 1,000. */
    consentsOf: async (userId: string) =>
      (await rows.consentsOf(userId)).map(({ clientId: id, clientName, resources, ...consent }) => ({
        ...consent,
        client: { id, name: clientName ?? id },
        resources: resources.split(" ").filter((resource) => resource !== ""),
      })),
    revokeOfClient: (clientId: string) => rows.revokeOfClient(clientId, undefined, clock.now()),
    /** Returns the statements that end what a client holds for a person. The lock makes a code wait that is swapped at the same time. */
    withdraw: (clientId: string, userId: string): readonly Statement[] => [
      users.lock(userId),
      rows.revokeOfClient(clientId, userId, clock.now()),
    ],

    /**
     * Makes a session below the browser's: statements of a batch, which applies only while that one is live, and its first refresh token.
     * Nothing outlives a session of staff in somebody's name.
     */
    open({ parent, clientId, delegation, client, ...asked }: Opening) {
      const isStanding = asked.isStanding && parent.cameBy !== "impersonation";
      const now = clock.now();
      const secret = refreshTokens.newSecret();
      const id = newId();
      const expiresAt = isStanding ? now + config.rememberSessionTtlMs : parent.expiresAt;
      const { cameBy, factor, provedAt } = parent;
      const insert = rows.insert({
        id,
        userId: parent.userId,
        secretHash: tokenHash(secret),
        remembered: isStanding ? 1 : parent.remembered,
        userAgent: client.userAgent.slice(0, 512),
        ipAddress: client.address,
        expiresAt,
        cameBy,
        factor,
        provedAt,
        clientId,
        parentId: parent.id,
        standing: isStanding ? 1 : 0,
        delegation,
        now,
      });
      const statements = [users.lock(parent.userId), holdParent(parent.id, parent.userId), insert];
      return { id, expiresAt, statements, refresh: refreshTokens.format(id, 1, secret) };
    },

    /**
     * Swaps a refresh token. Within ten seconds an earlier token is answered with the successor that it had, for a client that has not got
     * the answer; after those it counts as stolen, and the session ends (RFC 9700 §4.14.2). `refuse` is asked before anything is changed.
     * A program that `keepsToken` proves by a key with each use that the token is its own, and has no use for another one.
     */
    async refresh(
      refresh: string,
      { clientId, keepsToken }: { readonly clientId: string; readonly keepsToken: boolean },
      client: Client,
      refuse: (row: DelegatedRow) => void,
    ): Promise<Refreshed> {
      const token = refreshTokens.parse(refresh);
      const row = token && (await rows.findRefreshable(token.sessionId));
      if (token === undefined || row === undefined) return { refused: "invalid_refresh_token" };
      if (row.clientId !== clientId) return { refused: "other_client", row };
      const flaw = flawOf(row);
      if (flaw !== undefined) return { refused: flaw, row };
      // Where its successor has been swapped, too, the answer was not lost: a thief who swaps without a pause would never be found out.
      const isOlder = token.generation < row.generation - 1;
      const mismatch = isOlder ? "refresh_hash_mismatch" : secretMismatch(row, token, clock.now());
      if (mismatch === "refresh_hash_mismatch") await end(row, "refresh_reused", byNobody(client));
      if (mismatch !== undefined && mismatch !== "refresh_hash_mismatch_grace") return { refused: mismatch, row };
      refuse(row);
      if (keepsToken && mismatch === undefined) {
        const held = await apply(row, sessions.hold(row.id, row.userId, clock.now(), liveness.idleSince()));
        return held ? { row, refresh } : { refused: flawOf(await rows.find(row.id)) ?? "session_not_found", row };
      }
      const [generation, secret] = [token.generation + 1, token.successor()];
      const answer = { row, refresh: refreshTokens.format(row.id, generation, secret) };
      if (mismatch === undefined && (await swap(row, token, secret))) return answer;
      const current = await rows.findRefreshable(row.id);
      const isSame = current?.generation === generation && current.secretHash === tokenHash(secret);
      const ended = flawOf(current);
      if (isSame && ended === undefined) return answer;
      return { refused: ended ?? "refresh_hash_mismatch_grace", row };
    },

    /** Returns the session of a refresh token that this service has issued, whether it is good or not. */
    async ofRefreshToken(refresh: string): Promise<DelegatedRow | undefined> {
      const token = refreshTokens.parse(refresh);
      const row = token && (await rows.findRefreshable(token.sessionId));
      if (token === undefined || row === undefined) return undefined;
      return token.generation === row.generation && token.secretHash !== row.secretHash ? undefined : row;
    },
  };
}

export type Delegations = ReturnType<typeof createDelegations>;

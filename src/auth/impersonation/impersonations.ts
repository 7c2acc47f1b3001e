import type { Config } from "../../config/index.ts";
import { minute, type Clock } from "../../core/clock.ts";
import { randomToken, tokenHash } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { impersonationBy, isStaff, roleFor, type StaffRole } from "../../core/people/staff.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import type { Journal } from "../journal.ts";
import { noticeJob } from "../mail/jobs.ts";
import type { IssuedSession, Issuer } from "../session/issuer.ts";
import type { SessionRow } from "../session/session.repository.ts";
import type { RefreshTokens } from "../session/refresh.token.ts";
import { readRoles } from "../user/roles.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";
import type { ImpersonationRepository } from "./impersonation.repository.ts";

interface ImpersonationOptions {
  readonly config: Pick<Config["auth"], "impersonators">;
  readonly journal: Pick<Journal, "commit">;
  readonly users: Pick<UserRepository, "byId" | "holdRoles">;
  readonly rows: ImpersonationRepository;
  readonly issuer: Pick<Issuer, "issue">;
  readonly refreshTokens: Pick<RefreshTokens, "newSecret">;
  readonly clock: Clock;
}

/** A wish of staff to act in somebody's name, on the pages of the admin app. */
interface Wish {
  readonly userId: string;
  readonly staffId: string;
  /** Their session in the admin app, whose end ends the other one, too. */
  readonly sessionId: string;
  /** Why: the audit log keeps it. */
  readonly reason: string;
  /** The page that the end leads back to. */
  readonly returnTo: string;
}

/** How long staff act in somebody's name at most, and how long the way there works. */
const lastsMs = 15 * minute;
const wayMs = minute;

/** Whether nobody acts in the name of this account: staff would get the rights of other staff, and a disabled account sees nothing. */
const isOutOfReach = ({ active, roles }: UserRow): boolean => active !== 1 || isStaff(readRoles(roles));

/** The users' rows come first, by their ids: two batches that lock the same two take turns. */
const inOrder = (users: Pick<UserRepository, "holdRoles">, some: readonly UserRow[]): readonly Statement[] =>
  some.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((user) => users.holdRoles(user));

/**
 * Sessions that staff open in somebody's name. Each begins on a page of the admin app with a secret, which `app` takes once within a minute,
 * and ends after fifteen minutes, or with whatever ends the session, the roles or the account of the member of staff: triggers see to that.
 */
export function createImpersonations(options: ImpersonationOptions) {
  const { config, journal, users, rows, issuer, refreshTokens, clock } = options;

  const act = impersonationBy(config.impersonators);
  /** Returns the role by which a member of staff may act in somebody's name. */
  const roleOf = ({ active, roles }: UserRow): StaffRole | undefined =>
    active === 1 && act !== undefined ? roleFor(act, readRoles(roles)) : undefined;
  const nameOf = ({ displayName, username }: UserRow): string => (displayName === "" ? username : displayName);

  return {
    lastsMs,

    /** Returns the secret by which `app` opens the session. Throws `not_found`, `account_inactive`, and `forbidden` for an account of staff. */
    async ask({ userId, staffId, sessionId, reason, returnTo }: Wish): Promise<string> {
      const [staff, user] = await Promise.all([users.byId(staffId), users.byId(userId)]);
      if (user === undefined) throw new AppError("not_found");
      if (user.active !== 1) throw new AppError("account_inactive");
      if (staff === undefined || roleOf(staff) === undefined || isOutOfReach(user)) throw new AppError("forbidden");
      const [secret, now] = [randomToken(), clock.now()];
      const { applied } = await journal.commit({
        statements: [
          ...inOrder(users, [staff, user]),
          rows.holdStaffSession(sessionId, staffId, now),
          rows.insert({
            secretHash: tokenHash(secret),
            staffId,
            staffSessionId: sessionId,
            userId,
            reason,
            returnTo,
            createdAt: now,
            expiresAt: now + wayMs,
          }),
        ],
      });
      if (!applied) throw new AppError("forbidden");
      return secret;
    },

    /**
     * Opens the session of a secret. Undefined where the secret was used or is over, or where either of the two has changed since. Nothing of
     * the person's own sign-ins changes: neither when they came last, nor which browsers the account knows. Throws `denied_by_hook`.
     */
    async redeem(secret: string, client: Client): Promise<IssuedSession | undefined> {
      const hash = tokenHash(secret);
      const row = await rows.open(hash, clock.now());
      if (row === undefined) return undefined;
      const { staffId, staffSessionId, userId, reason } = row;
      const [staff, user, own] = await Promise.all([
        users.byId(staffId),
        users.byId(userId),
        rows.staffSession(staffSessionId, staffId, clock.now()),
      ]);
      const role = staff && roleOf(staff);
      if (staff === undefined || role === undefined) return undefined;
      if (user === undefined || isOutOfReach(user) || own === undefined) return undefined;
      const expiresAt = Math.min(clock.now() + lastsMs, own.expiresAt);
      const [id, refreshSecret] = [newId(), refreshTokens.newSecret()];
      const level = { cameBy: "impersonation", factor: null } as const;
      const session = { id, remembered: false, expiresAt, provedAt: clock.now(), impersonatorId: staffId, ...level };
      const issued = await issuer.issue(session, user, 1, refreshSecret);
      const now = clock.now();
      const { applied } = await journal.commit({
        statements: [
          ...inOrder(users, [staff, user]),
          rows.holdStaffSession(staffSessionId, staffId, now),
          rows.endOthers(staffId, now),
          rows.insertSession({
            id,
            userId,
            secretHash: tokenHash(refreshSecret),
            expiresAt,
            parentId: staffSessionId,
            impersonatorId: staffId,
            now,
          }),
          rows.use(hash, id, now),
        ],
        jobs: [noticeJob("impersonation_begun", { userId }, { about: nameOf(staff) })],
        tell: [
          {
            topic: "auth.impersonation-begun",
            payload: { user_id: userId, session_id: id, impersonator_id: staffId },
            by: { actor: "staff", userId: staffId, role, origin: client },
            reason,
            endsAt: expiresAt,
          },
        ],
      });
      return applied ? issued : undefined;
    },

    /** Returns who acts by this session in the person's name, and where its end leads; null for a session of the person's own. */
    async behind({ id, impersonatorId = null }: Pick<SessionRow, "id" | "impersonatorId">) {
      if (impersonatorId === null) return null;
      const [staff, row] = await Promise.all([users.byId(impersonatorId), rows.ofSession(id)]);
      return { id: impersonatorId, name: staff === undefined ? "" : nameOf(staff), return_to: row?.returnTo ?? null };
    },
  };
}

export type Impersonations = ReturnType<typeof createImpersonations>;
/** Who acts in a person's name, as pages and answers show it. */
export type Behind = Awaited<ReturnType<Impersonations["behind"]>>;

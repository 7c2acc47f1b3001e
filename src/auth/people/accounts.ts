import { byOperator, type By } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError, overtaken } from "../../core/errors.ts";
import { password } from "../../core/text/text.ts";
import type { Topic } from "../../core/topics.ts";
import type { DeletionService } from "../flow/account/deletion.service.ts";
import type { PasswordService } from "../flow/password.service.ts";
import type { Evictions } from "../flow/eviction/eviction.ts";
import {
  readRegistration,
  type OperatorsRegistration,
  type RegistrationService,
} from "../flow/registration.service.ts";
import type { Journal } from "../journal.ts";
import { passwordResetJob } from "../mail/jobs.ts";
import type { Locks } from "../pressure/locks.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { Refusals } from "../pressure/refusals.ts";
import type { SessionRepository } from "../session/session.repository.ts";
import { findNamed } from "../user/find.ts";
import { adminRole, applyRoles, readRoles, type RoleChange } from "../user/roles.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";
import { createActs } from "./acts.ts";
import { createFactorReset } from "./factor.reset.ts";
import { failedAddresses, type EventsOf } from "./failed.addresses.ts";
import { upkeep } from "./upkeep.repository.ts";

/**
 * Acts on accounts by the people and services who look after them: operators, who are the default actor, staff and services. A login is a
 * user name, an address or an id. Each act is one commit with its audit row and its event; an act that changes nothing says so and leaves
 * no row. Throws AppError: `not_found`; `own_account` and `forbidden` to staff, `last_admin` to services, where admins would be lost.
 */
export interface Accounts {
  create(registration: OperatorsRegistration, by?: By): Promise<UserRow>;
  /** Throws what `create` would throw now for these fields: for an address or a name that is taken or impossible. */
  requireFree(fields: Pick<OperatorsRegistration, "email" | "username" | "displayName">): Promise<void>;
  /** Only for the command line. */
  setPassword(login: string, password: string): Promise<void>;
  /** Disables the account and ends every session of both apps. False when it is disabled already. */
  disable(login: string, by?: By): Promise<boolean>;
  /** Enables the account; the person signs in anew. False when it is not disabled. */
  enable(login: string, by?: By): Promise<boolean>;
  /** Forgets the wrong passwords and codes that keep the person out, or are about to. False when there are none. */
  unlock(login: string, by?: By): Promise<boolean>;
  /** Counts the address as proven, on the caller's word. False when it is proven already. */
  verify(login: string, by?: By): Promise<boolean>;
  /** Mails a link by which the person chooses a new password. Throws `account_inactive` for a disabled account. */
  sendPasswordReset(login: string, by?: By): Promise<void>;
  /**
   * Helps a person who has lost their factors: removes every second factor with the recovery codes, and ends every session of both apps.
   * The person is told by mail. False when there is no factor.
   */
  resetFactors(login: string, by?: By): Promise<boolean>;
  /** Ends all sessions of both apps, or one. Resolves to how many were ended. */
  revokeSessions(login: string, by?: By, sessionId?: string): Promise<number>;
  /** Deletes the account for good. */
  delete(login: string, by?: By): Promise<void>;
  /** Resolves to the roles that the user has afterwards, and to whether they have changed. */
  changeRoles(login: string, change: RoleChange, by?: By): Promise<RolesAfterwards>;
  idOf(login: string): Promise<string>;
}

export interface RolesAfterwards {
  readonly roles: readonly string[];
  readonly isChanged: boolean;
}

interface AccountsOptions {
  readonly users: UserRepository;
  readonly sessionRows: SessionRepository;
  readonly evictions: Pick<Evictions, "evict">;
  readonly registration: RegistrationService;
  readonly passwords: PasswordService;
  readonly deletion: DeletionService;
  readonly pressure: Pick<Pressure, "clearAll">;
  readonly locks: Locks;
  readonly refusals: Pick<Refusals, "settle">;
  readonly audit: EventsOf;
  readonly journal: Journal;
  readonly clock: Clock;
}

/** How often an act is tried anew while other requests change the rows that it was made from. */
const mostTries = 5;

export function createAccounts(options: AccountsOptions): Accounts {
  const { users, sessionRows, evictions, registration, passwords, deletion } = options;
  const { pressure, locks, refusals, audit, journal, clock } = options;
  const acts = createActs({ users, journal });
  const resetFactors = createFactorReset({ acts, evictions, pressure, clock });

  async function named(login: string): Promise<UserRow> {
    const user = await findNamed(users, login);
    if (user === undefined) throw new AppError("not_found");
    return user;
  }

  type AccountTopic = Extract<Topic, `auth.user-${"disabled" | "enabled" | "unlocked"}` | "auth.password-reset-sent">;
  const telling = (topic: AccountTopic, { id }: UserRow, by: By) => [{ topic, payload: { user_id: id }, by }];

  async function disable(user: UserRow, by: By): Promise<boolean> {
    const done = await acts.commit({
      user,
      by,
      unseats: true,
      statements: [
        upkeep.setActive(user.id, 0, clock.now()),
        ...evictions.evict(user.id, "account_disabled").statements,
      ],
      tell: telling("auth.user-disabled", user, by),
    });
    return done !== undefined;
  }

  async function enable(user: UserRow, by: By): Promise<boolean> {
    const statements = [upkeep.setActive(user.id, 1, clock.now())];
    return (await acts.commit({ user, by, statements, tell: telling("auth.user-enabled", user, by) })) !== undefined;
  }

  async function unlock(user: UserRow, by: By): Promise<boolean> {
    // The failed addresses are known from rows of the audit log, which are written behind the answers.
    await refusals.settle();
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const addresses = await failedAddresses(audit, user.id, clock.now() - locks.remembersMs);
      const [first, ...rest] = pressure.clearAll(await locks.keysOf(user, addresses));
      if (first === undefined) return false;
      const statements = [{ ...first, guard: true }, ...rest];
      if (await acts.commit({ user, by, statements, tell: telling("auth.user-unlocked", user, by) })) return true;
    }
    throw overtaken();
  }

  async function verify(user: UserRow, by: By): Promise<boolean> {
    const done = await acts.commit({
      user,
      by,
      statements: [upkeep.vouchForEmail(user.id, user.emailKey, clock.now())],
      tell: [{ topic: "auth.email-verified", payload: { user_id: user.id }, by, reason: "vouched_for" }],
    });
    return done !== undefined;
  }

  async function sendPasswordReset(user: UserRow, by: By): Promise<void> {
    const sent = await acts.commit({
      user,
      by,
      statements: [users.lock(user.id)],
      // The link leads to the pages of the app that people use, whichever app asks for the mail.
      jobs: [{ ...passwordResetJob(user.email), app: "app" }],
      tell: telling("auth.password-reset-sent", user, by),
    });
    if (sent === undefined)
      throw new AppError((await users.byId(user.id)) === undefined ? "not_found" : "account_inactive");
  }

  async function revokeSessions(user: UserRow, by: By, sessionId?: string): Promise<number> {
    const reason = sessionId === undefined ? { reason: "all_sessions" } : {};
    const payload = { user_id: user.id, session_id: sessionId ?? null };
    const evicted = evictions.evict(user.id, "sessions_revoked", { onlyWithSessions: true });
    const done = await acts.commit({
      user,
      by,
      statements:
        sessionId === undefined ? evicted.statements : [sessionRows.revoke(sessionId, user.id, clock.now(), "revoked")],
      tell: [{ topic: "auth.session-revoked", payload, by, ...reason }],
    });
    if (done === undefined) return 0;
    return sessionId === undefined ? evicted.sessionsEnded(done) : 1;
  }

  async function erase(user: UserRow, by: By): Promise<void> {
    const holds = acts.holdsOf({ user, by, unseats: true });
    const failed = await deletion.delete(
      user,
      by,
      holds.map(({ statement }) => statement),
    );
    const refused = failed === undefined ? undefined : holds[failed];
    if (refused !== undefined) throw await acts.refusalOf(refused, user);
  }

  async function changeRoles(login: string, change: RoleChange, by: By): Promise<RolesAfterwards> {
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const user = await named(login);
      const { stored, added, removed } = applyRoles(user.roles, change);
      if (stored === user.roles) return { roles: readRoles(stored), isChanged: false };
      const payload = (role: string) => ({ user_id: user.id, role });
      const done = await acts.commit({
        user,
        by,
        unseats: removed.includes(adminRole),
        statements: [users.changeRoles(user.id, user.roles, stored, clock.now())],
        tell: [
          ...added.map((role) => ({ topic: "auth.role-added", payload: payload(role), by }) as const),
          ...removed.map((role) => ({ topic: "auth.role-removed", payload: payload(role), by }) as const),
        ],
      });
      if (done !== undefined) return { roles: readRoles(stored), isChanged: true };
    }
    throw overtaken();
  }

  return {
    async create({ verified, roles, ...form }, by = byOperator) {
      const account = { ...readRegistration(form), verified, ...(roles && { roles }) };
      const created = await registration.create(account, by, acts.holdsOfNewcomer(by));
      if (created === undefined) throw new AppError("forbidden");
      return created;
    },
    requireFree: async (fields) => registration.requireFree(readRegistration(fields)),
    setPassword: async (login, secret) => passwords.set(await named(login), password(secret), byOperator),
    disable: async (login, by = byOperator) => disable(await named(login), by),
    enable: async (login, by = byOperator) => enable(await named(login), by),
    unlock: async (login, by = byOperator) => unlock(await named(login), by),
    verify: async (login, by = byOperator) => verify(await named(login), by),
    sendPasswordReset: async (login, by = byOperator) => sendPasswordReset(await named(login), by),
    resetFactors: async (login, by = byOperator) => resetFactors(await named(login), by),
    revokeSessions: async (login, by = byOperator, sessionId) => revokeSessions(await named(login), by, sessionId),
    delete: async (login, by = byOperator) => erase(await named(login), by),
    changeRoles: (login, change, by = byOperator) => changeRoles(login, change, by),
    idOf: async (login) => (await named(login)).id,
  };
}

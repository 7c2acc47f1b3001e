import { byOperator, type By } from "../../core/audit.ts";
import { AppError, overtaken } from "../../core/errors.ts";
import { password } from "../../core/text/text.ts";
import type { StaffAct } from "../../core/people/staff.ts";
import type { Topic } from "../../core/topics.ts";
import {
  readRegistration,
  type OperatorsRegistration,
  type RegistrationService,
} from "../flow/registration.service.ts";
import { noticeJob } from "../mail/jobs.ts";
import { findNamed } from "../user/find.ts";
import { adminRole, applyRoles, readRoles, type RoleChange } from "../user/roles.ts";
import type { UserRow } from "../user/user.repository.ts";
import { createActs, requireMay } from "./acts.ts";
import { createGivingActs } from "./giving.acts.ts";
import { userFactors } from "../user/user.factors.repository.ts";
import { codesKey } from "../pressure/counters.ts";
import { failedAddresses, type EventsOf } from "./standing/failed.addresses.ts";
import { upkeep } from "./upkeep.repository.ts";
import type { Parts } from "../flow/parts.ts";
import type { Evictions } from "../flow/eviction/eviction.ts";
import type { PasswordService } from "../flow/password.service.ts";
import type { DeletionService } from "../flow/account/deletion.service.ts";

type AccountsOptions = Parts<"users" | "sessionRows" | "pressure" | "locks" | "refusals" | "journal" | "clock"> & {
  readonly evictions: Evictions;
  readonly registration: RegistrationService;
  readonly passwords: PasswordService;
  readonly deletion: DeletionService;
  readonly audit: EventsOf;
};

/** How often an act is tried anew while other requests change the rows that it was made from. */
const mostTries = 5;

/**
 * Acts on accounts by the people and services who look after them: operators, who are the default actor, staff and services. A login is a
 * user name, an address or an id. Each act is one commit with its audit row and its event; an act that changes nothing says so and leaves
 * no row. Throws AppError: `not_found`; `own_account` and `forbidden` to staff, `last_admin` to services, where admins would be lost.
 */
export function createAccounts(options: AccountsOptions) {
  const { users, sessionRows, evictions, registration, passwords, deletion } = options;
  const { pressure, locks, refusals, audit, journal, clock } = options;
  const acts = createActs({ users, journal });
  const { sendPasswordReset, sendVerification, recordExport } = createGivingActs({ users, pressure, acts });

  async function named(login: string): Promise<UserRow> {
    const user = await findNamed(users, login);
    if (user === undefined) throw new AppError("not_found");
    return user;
  }

  type AccountTopic = Extract<Topic, `auth.user-${"disabled" | "enabled" | "unlocked"}`>;
  const telling = (topic: AccountTopic, { id }: UserRow, by: By) => [{ topic, payload: { user_id: id }, by }];

  /** Disables the account and ends every session of both apps. False when it is disabled already. */
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

  /** Enables the account; the person signs in anew. False when it is not disabled. */
  async function enable(user: UserRow, by: By): Promise<boolean> {
    const statements = [upkeep.setActive(user.id, 1, clock.now())];
    const tell = telling("auth.user-enabled", user, by);
    return (await acts.commit({ user, by, statements, tell })) !== undefined;
  }

  /** Forgets the wrong passwords and codes that keep the person out, or are about to. False when there are none. */
  async function unlock(user: UserRow, by: By): Promise<boolean> {
    // The failed addresses are known from rows of the audit log, which are written behind the answers.
    await refusals.settle();
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const addresses = await failedAddresses(audit, user.id, clock.now() - locks.remembersMs);
      const [first, ...rest] = pressure.clearAll(await locks.keysOf(user, addresses));
      if (first === undefined) return false;
      const statements = [{ ...first, guard: true }, ...rest];
      const tell = telling("auth.user-unlocked", user, by);
      if (await acts.commit({ user, by, statements, tell })) return true;
    }
    throw overtaken();
  }

  /** Counts the address as proven, on the caller's word. False when it is proven already. */
  async function verify(user: UserRow, by: By): Promise<boolean> {
    const done = await acts.commit({
      user,
      by,
      statements: [upkeep.vouchForEmail(user.id, user.emailKey, clock.now())],
      tell: [{ topic: "auth.email-verified", payload: { user_id: user.id }, by, reason: "vouched_for" }],
    });
    return done !== undefined;
  }

  /**
   * Takes every second factor from an account whose owner has lost them, and ends its sessions: a thief of one of the factors may have one of
   * the sessions, too. Staff don't do it to themselves: where they remove their own factors, they are asked for a fresh proof.
   */
  async function resetFactors(user: UserRow, by: By): Promise<boolean> {
    if (by.actor === "staff" && by.userId === user.id) throw new AppError("own_account");
    const done = await acts.commit({
      user,
      by,
      statements: [
        // The bits are written twice: the first write is the guard that says whether there is any factor.
        userFactors.clear(user.id, clock.now()),
        ...evictions.evict(user.id, "factors_reset").statements,
        // Wrong codes of the app that goes must not count against the next one.
        ...pressure.clearAll([codesKey(user)]),
      ],
      // The link leads to the pages of the app that people use, whichever app resets.
      jobs: [{ ...noticeJob("factors_reset", { userId: user.id }), app: "app" }],
      tell: [{ topic: "auth.factors-reset", payload: { user_id: user.id }, by }],
    });
    return done !== undefined;
  }

  /** Ends one session, or all of both apps and whatever else holds the account. Resolves to how many sessions were ended. */
  async function revokeSessions(user: UserRow, by: By, sessionId?: string): Promise<number> {
    const reason = sessionId === undefined ? { reason: "all_sessions" } : {};
    const payload = { user_id: user.id, session_id: sessionId ?? null };
    const evicted = evictions.evict(user.id, "sessions_revoked");
    const done = await acts.commit({
      user,
      by,
      statements:
        sessionId === undefined
          ? [upkeep.holdHeld(user.id), ...evicted.statements]
          : [sessionRows.revoke(sessionId, user.id, clock.now(), "revoked")],
      tell: [{ topic: "auth.session-revoked", payload, by, ...reason }],
    });
    if (done === undefined) return 0;
    return sessionId === undefined ? evicted.sessionsEnded(done.slice(1)) : 1;
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

  /** Resolves to the roles that the user has afterwards, and to whether they have changed. */
  async function changeRoles(login: string, change: RoleChange, by: By = byOperator) {
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const user = await named(login);
      requireMay("people.roles", user, by);
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

  /** Makes an act on a user that of a caller, by default an operator, on the user of a login. */
  const onNamed =
    <Rest extends readonly unknown[], Result>(
      may: StaffAct,
      act: (user: UserRow, by: By, ...rest: Rest) => Promise<Result>,
    ) =>
    async (login: string, by: By = byOperator, ...rest: Rest): Promise<Result> => {
      const user = await named(login);
      requireMay(may, user, by);
      return act(user, by, ...rest);
    };

  return {
    async create(
      { verified, roles, externalId, metadata, avatarUrl, passwordHash, invites, ...form }: OperatorsRegistration,
      by: By = byOperator,
    ): Promise<UserRow> {
      const others = { verified, externalId, metadata, avatarUrl, passwordHash, invites, ...(roles && { roles }) };
      const account = { ...readRegistration(form), ...others };
      const created = await registration.create(account, by, acts.holdsOfNewcomer(by));
      if (created === undefined) throw new AppError("forbidden");
      return created;
    },
    /** Throws what `create` would throw now for these fields: for an address or a name that is taken or impossible. */
    requireFree: async (fields: Pick<OperatorsRegistration, "email" | "username" | "displayName">): Promise<void> =>
      registration.requireFree(readRegistration(fields)),
    /** Only for the command line. */
    setPassword: async (login: string, secret: string): Promise<void> =>
      passwords.set(await named(login), password(secret), byOperator),
    disable: onNamed("people.disable", disable),
    enable: onNamed("people.enable", enable),
    unlock: onNamed("people.unlock", unlock),
    verify: onNamed("people.verify", verify),
    sendPasswordReset: onNamed("people.send-reset", sendPasswordReset),
    sendVerification: onNamed("people.send-verification", sendVerification),
    resetFactors: onNamed("people.reset-factors", resetFactors),
    revokeSessions: onNamed("people.end-sessions", revokeSessions),
    delete: onNamed("people.delete", erase),
    recordExport: onNamed("people.export", recordExport),
    changeRoles,
    idOf: async (login: string): Promise<string> => (await named(login)).id,
  };
}

export type Accounts = ReturnType<typeof createAccounts>;

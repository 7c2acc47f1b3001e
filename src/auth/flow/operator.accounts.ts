import type { By } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError, overtaken } from "../../core/errors.ts";
import { isId } from "../../core/ids.ts";
import { password, text } from "../../core/text.ts";
import { byOperator, type Journal } from "../journal.ts";
import type { SessionService } from "../session/session.service.ts";
import { findByLogin } from "../user/find.ts";
import { applyRoles, readRoles, type RoleChange } from "../user/roles.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";
import type { DeletionService } from "./deletion.service.ts";
import type { PasswordService } from "./password.service.ts";
import { readRegistration, type OperatorsRegistration, type RegistrationService } from "./registration.service.ts";

/** What operators do to accounts from the command line. A login is a user name, an address or an id. Throws AppError. */
export interface Accounts {
  create(registration: OperatorsRegistration, by?: By): Promise<UserRow>;
  setPassword(login: string, password: string): Promise<void>;
  /** Resolves to how many sessions were ended. */
  revokeSessions(login: string): Promise<number>;
  /** For good. */
  delete(login: string): Promise<void>;
  /** Resolves to the roles that the user has afterwards. */
  changeRoles(login: string, change: RoleChange, by?: By): Promise<readonly string[]>;
  idOf(login: string): Promise<string>;
}

interface AccountsOptions {
  readonly users: UserRepository;
  readonly registration: RegistrationService;
  readonly passwords: PasswordService;
  readonly sessions: SessionService;
  readonly deletion: DeletionService;
  readonly journal: Journal;
  readonly clock: Clock;
}

/** How often a change of roles is tried while others change them too. */
const mostTries = 5;

export function createAccounts(options: AccountsOptions): Accounts {
  const { users, registration, passwords, sessions, deletion, journal, clock } = options;

  /** An id is looked for first: somebody may have chosen the id of another account as a name. */
  async function named(login: string): Promise<UserRow> {
    const key = text("login", login);
    const user = (isId(key) ? await users.byId(key) : undefined) ?? (await findByLogin(users, key));
    if (user === undefined) throw new AppError("not_found");
    return user;
  }

  async function changeRoles(login: string, change: RoleChange, by: By): Promise<readonly string[]> {
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const { id, roles } = await named(login);
      const { stored, added, removed } = applyRoles(roles, change);
      if (stored === roles) return readRoles(stored);
      const { applied } = await journal.commit({
        statements: [users.changeRoles(id, roles, stored, clock.now())],
        tell: [
          ...added.map((role) => ({ topic: "auth.role-added", payload: { user_id: id, role }, by }) as const),
          ...removed.map((role) => ({ topic: "auth.role-removed", payload: { user_id: id, role }, by }) as const),
        ],
      });
      if (applied) return readRoles(stored);
    }
    throw overtaken();
  }

  return {
    create: async ({ verified, roles, ...form }, by = byOperator) =>
      registration.create({ ...readRegistration(form), verified, ...(roles && { roles }) }, by),
    setPassword: async (login, secret) => passwords.set(await named(login), password(secret), byOperator),
    revokeSessions: async (login) => sessions.endAll((await named(login)).id, "auth.session-revoked", byOperator),
    delete: async (login) => deletion.delete(await named(login), byOperator),
    changeRoles: (login, change, by = byOperator) => changeRoles(login, change, by),
    idOf: async (login) => (await named(login)).id,
  };
}

import type { By } from "../../core/audit.ts";
import { AppError } from "../../core/errors.ts";
import { password, text } from "../../core/text.ts";
import { byOperator } from "../journal.ts";
import type { SessionService } from "../session/session.service.ts";
import { findByLogin } from "../user/find.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";
import type { DeletionService } from "./deletion.service.ts";
import type { PasswordService } from "./password.service.ts";
import { readRegistration, type Registration, type RegistrationService } from "./registration.service.ts";

/** What operators do to accounts from the command line. Throws AppError. */
export interface Accounts {
  create(registration: Registration & { verified: boolean }, by?: By): Promise<UserRow>;
  setPassword(login: string, password: string): Promise<void>;
  /** Resolves to how many sessions were ended. */
  revokeSessions(login: string): Promise<number>;
  /** For good. */
  delete(login: string): Promise<void>;
  idOf(login: string): Promise<string>;
}

interface AccountsOptions {
  readonly users: UserRepository;
  readonly registration: RegistrationService;
  readonly passwords: PasswordService;
  readonly sessions: SessionService;
  readonly deletion: DeletionService;
}

export function createAccounts({ users, registration, passwords, sessions, deletion }: AccountsOptions): Accounts {
  async function named(login: string): Promise<UserRow> {
    const user = await findByLogin(users, text("login", login));
    if (user === undefined) throw new AppError("not_found");
    return user;
  }
  return {
    create: async ({ verified, ...form }, by = byOperator) =>
      registration.create({ ...readRegistration(form), verified }, by),
    setPassword: async (login, secret) => passwords.set(await named(login), password(secret), byOperator),
    revokeSessions: async (login) => sessions.endAll((await named(login)).id, "auth.session-revoked", byOperator),
    delete: async (login) => deletion.delete(await named(login), byOperator),
    idOf: async (login) => (await named(login)).id,
  };
}

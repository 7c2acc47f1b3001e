import { AppError } from "../../core/errors.ts";
import type { LoginFlaw } from "../../core/flaws.ts";
import type { Client } from "../client.ts";
import type { PasswordHasher } from "../password/password.hash.ts";
import type { Attempt, Pressure } from "../pressure/pressure.ts";
import { findByLogin } from "../user/find.ts";
import { loginKey } from "../user/identifiers.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";
import type { AdmissionService, SignedIn, UserProof } from "./admission.ts";

interface LoginOptions {
  readonly admission: AdmissionService;
  readonly users: UserRepository;
  readonly hasher: PasswordHasher;
  readonly pressure: Pressure;
}

/** A password or hash that another request replaces between the check and the commit is checked anew, so often. */
const maxChecks = 3;

/** The counter that a login is held against: one per account whatever alias was typed; unknown ones have theirs too. */
function loginSubject(user: UserRow | undefined, login: string): string {
  if (user !== undefined) return user.id;
  const key = loginKey(login);
  return "email" in key ? key.email : key.username;
}

/** Why the password proves nothing: for the audit log, never for the client. */
function flawOf(user: UserRow | undefined, valid: boolean): LoginFlaw | undefined {
  if (user === undefined) return "unknown_login";
  if (user.passwordHash === null) return "no_password";
  return valid ? undefined : "wrong_password";
}

export function createLoginService({ admission, users, hasher, pressure }: LoginOptions) {
  /** Holds only while the verified hash is still the stored one. An outdated hash is renewed, the password being at hand. */
  const passwordProof = (user: UserRow, password: string, outdated: boolean, attempt: Attempt): UserProof => ({
    async holdUser(signedInAt) {
      const verified = user.passwordHash ?? "";
      const renewed = outdated ? await hasher.hash(password) : verified;
      return users.loggedIn(user.id, verified, renewed, signedInAt);
    },
    settled: attempt.succeeded,
  });

  return {
    /** Unknown, wrong, inactive and without a password: the same answer after the same work, so that neither tells. */
    async login(login: string, password: string, client: Client, remember: boolean): Promise<SignedIn> {
      const subject = loginSubject(await findByLogin(users, login), login);
      return pressure.attempt(subject, client, async (attempt) => {
        let user: UserRow | undefined;
        for (let checks = 0; checks < maxChecks; checks += 1) {
          user = await findByLogin(users, login);
          const { valid, outdated } = await hasher.verify(user?.passwordHash ?? null, password);
          const why = flawOf(user, valid);
          if (user === undefined || why !== undefined)
            throw await attempt.failed("invalid_credentials", { user, why: why ?? "unknown_login" });
          const proof = passwordProof(user, password, outdated, attempt);
          const decision = await admission.admit({ user, proof, client, remember });
          if (decision.outcome === "admitted") return decision.signedIn;
          if (decision.outcome === "overtaken") continue;
          if (decision.reason === "inactive")
            throw await attempt.failed("invalid_credentials", { user, why: "inactive" });
          throw new AppError("email_not_verified");
        }
        throw await attempt.failed("invalid_credentials", { user, why: "changed_meanwhile" });
      });
    },
  };
}

export type LoginService = ReturnType<typeof createLoginService>;

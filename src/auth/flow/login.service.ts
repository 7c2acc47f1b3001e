import { AppError } from "../../core/errors.ts";
import type { LoginFlaw } from "../../core/flaws.ts";
import type { Client } from "../client.ts";
import { checkOf } from "../pressure/device.proof.ts";
import type { Attempt } from "../pressure/pressure.ts";
import { loginKey } from "../user/identifiers.ts";
import type { UserRow } from "../user/user.repository.ts";
import type { AdmissionService, SignIn, UserProof } from "./admission.ts";
import type { Parts } from "./parts.ts";

/** How often a password is checked anew when another request replaces it or its hash between the check and the commit. */
const maxChecks = 3;

/** Returns why the password proves nothing: for the audit log, never for the client. */
function flawOf(user: UserRow | undefined, valid: boolean, { isBlocked }: Attempt): LoginFlaw | undefined {
  if (user === undefined) return "unknown_login";
  if (user.passwordHash === null) return "no_password";
  if (!valid) return "wrong_password";
  return isBlocked ? "logins_blocked" : undefined;
}

export function createLoginService({
  admission,
  users,
  hasher,
  policy,
  pressure,
  devices,
}: Parts<"users" | "hasher" | "policy" | "pressure" | "devices"> & { readonly admission: AdmissionService }) {
  /** The proof holds only while the verified hash is still the stored one. An outdated hash is renewed, since the password is at hand. */
  const passwordProof = (
    user: UserRow,
    password: string,
    renew: (() => Promise<string>) | undefined,
    attempt: Attempt,
  ): UserProof => ({
    by: "valid_password",
    cameBy: "password",
    async holdUser(signedInAt) {
      const verified = user.passwordHash ?? "";
      const hash = (await renew?.()) ?? verified;
      const atLeast = policy.countsLength ? policy.knownLength(password) : user.passwordAtLeast;
      return users.loggedIn(user, verified, { hash, atLeast }, signedInAt);
    },
    settled: attempt.succeeded,
    // A right password forgives wrong codes only once the code is right, too.
    challenge: { settled: attempt.halfway, forgives: attempt.keys },
  });

  return {
    /**
     * An unknown login, a wrong password, an inactive account and one without a password get the same answer after the same work, so that
     * neither answer nor time tells them apart.
     */
    async login(login: string, password: string, client: Client, remember: boolean): Promise<SignIn> {
      const key = loginKey(login);
      const named = await users.byLogin(key);
      const check = checkOf(named, key, devices.deviceOf(client.devices ?? [], named));
      return pressure.attempt(check, client, async (attempt) => {
        let user: UserRow | undefined;
        for (let checks = 0; checks < maxChecks; checks += 1) {
          user = await users.byLogin(key);
          const { valid, outdated } = await hasher.verify(user?.passwordHash ?? null, password, attempt.place);
          const why = flawOf(user, valid, attempt);
          if (user === undefined || why !== undefined)
            throw await attempt.failed("invalid_credentials", { user, why: why ?? "unknown_login" });
          const renew = outdated ? () => hasher.hash(password, attempt.place) : undefined;
          const proof = passwordProof(user, password, renew, attempt);
          const decision = await admission.admit({ user, proof, client, remember });
          if (decision.outcome === "admitted") return decision.signedIn;
          if (decision.outcome === "challenged") return decision.challenged;
          if (decision.outcome === "overtaken") continue;
          if (decision.reason === "inactive")
            throw await attempt.failed("invalid_credentials", { user, why: "inactive" });
          throw new AppError("email_not_verified", { userId: user.id });
        }
        throw await attempt.failed("invalid_credentials", { user, why: "changed_meanwhile" });
      });
    },
  };
}

export type LoginService = ReturnType<typeof createLoginService>;

import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import { FieldFault } from "../../core/fields.ts";
import { passwordFault, type PasswordOwner, type PasswordRules } from "../../core/people/password.rules.ts";
import type { BreachedFilter } from "./breached.filter.ts";
import { loadBreachedPasswords } from "./breached.passwords.ts";

type PolicyOptions = Pick<Config["auth"], "passwordMinLength" | "passwordRequire">;

export const passwordRules = ({ passwordMinLength, passwordRequire }: PolicyOptions): PasswordRules => ({
  minLength: passwordMinLength,
  maxLength: 256,
  require: passwordRequire,
});

const breachedPassword = new FieldFault("breached_password", "is known from data breaches, so attackers try it early");

/**
 * Holds new passwords against the rules, the list of common ones and the filter of breached ones. The first password loads both. Where one
 * of them can't be loaded, the request fails: no password passes unchecked.
 */
export function createPasswordPolicy(options: PolicyOptions) {
  const rules = passwordRules(options);
  let common: Promise<ReadonlySet<string>> | undefined;
  let breached: Promise<BreachedFilter> | undefined;
  const loadCommon = async (): Promise<ReadonlySet<string>> => {
    const { dictionary } = await import("@zxcvbn-ts/language-common");
    return new Set(dictionary["passwords-common"]);
  };

  async function weakness(password: string, owner: PasswordOwner): Promise<FieldFault | undefined> {
    common ??= loadCommon();
    const list = await common;
    const fault = passwordFault(password, owner, rules, (candidate) => list.has(candidate));
    if (fault !== undefined) return fault;
    breached ??= loadBreachedPasswords();
    return (await breached).has(password) ? breachedPassword : undefined;
  }

  return {
    weakness,

    /** Throws `weak_password`, with the reason under the name of the password's field. */
    async enforce(password: string, owner: PasswordOwner, field: string): Promise<void> {
      const fault = await weakness(password, owner);
      if (fault !== undefined) throw new AppError("weak_password", { fields: { [field]: fault } });
    },
  };
}

export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>;

import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import { FieldFault, tooShort } from "../../core/fields.ts";
import { passwordFault, type PasswordOwner, type PasswordRules } from "../../core/people/password.rules.ts";
import type { UserRow } from "../user/user.columns.ts";
import type { BreachedFilter } from "./breached.filter.ts";
import { loadBreachedPasswords } from "./breached.passwords.ts";

type PolicyOptions = Pick<
  Config["auth"],
  "passwordMinLength" | "passwordMinLengthAlone" | "passwordRequire" | "mfaRequired"
>;

/** Returns the length of a password with nothing beside it. Where everybody needs a second factor, there is none such. */
const leastAlone = ({ passwordMinLength, passwordMinLengthAlone, mfaRequired }: PolicyOptions): number =>
  mfaRequired ? passwordMinLength : passwordMinLengthAlone;

const rulesWith = (minLength: number, { passwordRequire }: PolicyOptions): PasswordRules => ({
  minLength,
  maxLength: 256,
  require: passwordRequire,
});

/** The rules of an account that has nothing but its password: pages hold everybody to them, since they may not know of a second factor. */
export const passwordRules = (options: PolicyOptions): PasswordRules => rulesWith(leastAlone(options), options);

/** The rules of an account with a second factor. */
export const passwordRulesWithFactor = (options: PolicyOptions): PasswordRules =>
  rulesWith(options.passwordMinLength, options);

/** A password as far as it is known, and what stands beside it. */
type Held = Pick<UserRow, "passwordHash" | "passwordAtLeast">;

/** Throws `weak_password` where the password of an account is too short to stand alone, or may be. */
export const createLonePasswords = (options: PolicyOptions) => {
  const least = leastAlone(options);
  return ({ passwordHash, passwordAtLeast }: Held): void => {
    if (least === options.passwordMinLength || passwordHash === null || (passwordAtLeast ?? 0) >= least) return;
    throw new AppError("weak_password", { fields: { password: tooShort(least) } });
  };
};

/** Whose password it is. Without `factors` the account has no second factor. */
type Owner = PasswordOwner & { readonly factors?: number };

const breachedPassword = new FieldFault("breached_password", "is known from data breaches, so attackers try it early");

/**
 * Holds new passwords against the rules, the list of common ones and the filter of breached ones. The first password loads both. Where one
 * of them can't be loaded, the request fails: no password passes unchecked.
 */
export function createPasswordPolicy(options: PolicyOptions) {
  const [alone, withFactor] = [passwordRules(options), passwordRulesWithFactor(options)];
  const lengths = alone.minLength === withFactor.minLength ? [] : [alone.minLength, withFactor.minLength];
  let common: Promise<ReadonlySet<string>> | undefined;
  let breached: Promise<BreachedFilter> | undefined;
  const loadCommon = async (): Promise<ReadonlySet<string>> => {
    const { dictionary } = await import("@zxcvbn-ts/language-common");
    return new Set(dictionary["passwords-common"]);
  };

  async function weakness(password: string, owner: Owner): Promise<FieldFault | undefined> {
    const rules = (owner.factors ?? 0) === 0 ? alone : withFactor;
    common ??= loadCommon();
    const list = await common;
    const fault = passwordFault(password, owner, rules, (candidate) => list.has(candidate));
    if (fault !== undefined) return fault;
    breached ??= loadBreachedPasswords();
    return (await breached).has(password) ? breachedPassword : undefined;
  }

  return {
    weakness,

    /** Returns the greatest of the lengths that count which the password has: its own length is nobody's business. Null where none counts. */
    knownLength(password: string): number | null {
      const length = [...password].length;
      const passed = lengths.filter((each) => each <= length);
      return passed.length === 0 ? null : Math.max(...passed);
    },
    /** Whether a password that stands alone has to be longer than another one. */
    countsLength: lengths.length > 0,

    /** Throws `weak_password`, with the reason under the name of the password's field. */
    async enforce(password: string, owner: Owner, field: string): Promise<void> {
      const fault = await weakness(password, owner);
      if (fault !== undefined) throw new AppError("weak_password", { fields: { [field]: fault } });
    },
  };
}

export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>;

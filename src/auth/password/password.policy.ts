import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import type { FieldFault } from "../../core/fields.ts";
import { passwordFault, type PasswordOwner, type PasswordRules } from "../../core/password.rules.ts";

type PolicyOptions = Pick<Config["auth"], "passwordMinLength" | "passwordRequire">;

/** The rules of an app for new passwords. */
export const passwordRules = ({ passwordMinLength, passwordRequire }: PolicyOptions): PasswordRules => ({
  minLength: passwordMinLength,
  maxLength: 256,
  require: passwordRequire,
});

/** Holds new passwords against the rules and the list of common ones, which is loaded when it is first needed. */
export function createPasswordPolicy(options: PolicyOptions) {
  const rules = passwordRules(options);
  let common: Promise<ReadonlySet<string>> | undefined;
  const loadCommon = async (): Promise<ReadonlySet<string>> => {
    const { dictionary } = await import("@zxcvbn-ts/language-common");
    return new Set(dictionary["passwords-common"]);
  };

  /** What the password lacks; the first rule that it breaks. */
  async function weakness(password: string, owner: PasswordOwner): Promise<FieldFault | undefined> {
    common ??= loadCommon();
    const list = await common;
    return passwordFault(password, owner, rules, (candidate) => list.has(candidate));
  }

  return {
    weakness,

    /** Throws `weak_password`, with the reason under the name of the field that carried it. */
    async enforce(password: string, owner: PasswordOwner, field: string): Promise<void> {
      const fault = await weakness(password, owner);
      if (fault !== undefined) throw new AppError("weak_password", { fields: { [field]: fault } });
    },
  };
}

export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>;

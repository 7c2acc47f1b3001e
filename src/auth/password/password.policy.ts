import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import { FieldFault, tooLong, tooShort } from "../../core/fields.ts";

export const maxPasswordLength = 256;

type PolicyOptions = Pick<Config["auth"], "passwordMinLength" | "passwordRequire">;

interface PasswordOwner {
  readonly username: string;
  readonly email: string;
}

const characterRules = [
  ["upper", /\p{Lu}/u, new FieldFault("missing_upper", "must have an upper-case letter")],
  ["lower", /\p{Ll}/u, new FieldFault("missing_lower", "must have a lower-case letter")],
  ["number", /\p{N}/u, new FieldFault("missing_number", "must have a digit")],
  ["symbol", /[^\p{L}\p{N}]/u, new FieldFault("missing_symbol", "must have a symbol")],
] as const;

const tooCommon = new FieldFault("too_common", "is one of the most common passwords");
const containsIdentity = new FieldFault(
  "contains_identity",
  "must differ from your name, your address and the name of this service",
);

const lettersOnly = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");

/**
 * NIST SP 800-63B-4 §3.1.1.2: length in code points, a list of common passwords, and nothing of the user's own. No rule on
 * kinds of characters unless the operator asks for one.
 */
export function createPasswordPolicy({ passwordMinLength, passwordRequire }: PolicyOptions) {
  let common: Promise<ReadonlySet<string>> | undefined;
  const loadCommon = async (): Promise<ReadonlySet<string>> => {
    const { dictionary } = await import("@zxcvbn-ts/language-common");
    return new Set(dictionary["passwords-common"]);
  };

  /** What the password lacks; the first rule that it breaks. */
  async function weakness(password: string, owner: PasswordOwner): Promise<FieldFault | undefined> {
    const length = [...password].length;
    if (length < passwordMinLength) return tooShort(passwordMinLength);
    if (length > maxPasswordLength) return tooLong(maxPasswordLength);
    for (const [name, pattern, fault] of characterRules) {
      if (passwordRequire[name] && !pattern.test(password)) return fault;
    }
    common ??= loadCommon();
    const list = await common;
    if (list.has(password) || list.has(password.toLowerCase())) return tooCommon;
    const stem = lettersOnly(password);
    const own = [owner.username, owner.email, owner.email.split("@")[0] ?? "", "gatehouse"];
    const repeatsOwner = own.some(
      (name) => password.toLowerCase() === name.toLowerCase() || (stem.length >= 4 && stem === lettersOnly(name)),
    );
    return repeatsOwner ? containsIdentity : undefined;
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

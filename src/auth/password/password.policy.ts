import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";

export const maxPasswordLength = 256;

type PolicyOptions = Pick<Config["auth"], "passwordMinLength" | "passwordRequire">;

interface PasswordOwner {
  readonly username: string;
  readonly email: string;
}

const characterRules = [
  ["upper", /\p{Lu}/u, "needs an upper-case letter"],
  ["lower", /\p{Ll}/u, "needs a lower-case letter"],
  ["number", /\p{N}/u, "needs a digit"],
  ["symbol", /[^\p{L}\p{N}]/u, "needs a symbol"],
] as const;

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

  async function weakness(password: string, owner: PasswordOwner): Promise<string | undefined> {
    const length = [...password].length;
    if (length < passwordMinLength) return `must have at least ${passwordMinLength} characters`;
    if (length > maxPasswordLength) return `must have at most ${maxPasswordLength} characters`;
    for (const [name, pattern, complaint] of characterRules) {
      if (passwordRequire[name] && !pattern.test(password)) return complaint;
    }
    common ??= loadCommon();
    const list = await common;
    if (list.has(password) || list.has(password.toLowerCase())) return "is one of the most common passwords";
    const stem = lettersOnly(password);
    const own = [owner.username, owner.email, owner.email.split("@")[0] ?? "", "gatehouse"];
    const repeatsOwner = own.some(
      (name) => password.toLowerCase() === name.toLowerCase() || (stem.length >= 4 && stem === lettersOnly(name)),
    );
    return repeatsOwner ? "must differ from your name, your address and the name of this service" : undefined;
  }

  return {
    /** Throws `weak_password`, with the reason under the name of the field that carried it. */
    async enforce(password: string, owner: PasswordOwner, field: string): Promise<void> {
      const complaint = await weakness(password, owner);
      if (complaint !== undefined) throw new AppError("weak_password", { fields: { [field]: complaint } });
    },
  };
}

export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>;

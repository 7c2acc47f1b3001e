import { FieldFault, tooLong, tooShort } from "../fields.ts";

export interface PasswordRules {
  /** A length in code points, as is `maxLength`. */
  readonly minLength: number;
  readonly maxLength: number;
  /** Kinds of characters of which an operator requires at least one in every password. */
  readonly require: Readonly<Record<"upper" | "lower" | "number" | "symbol", boolean>>;
}

export interface PasswordOwner {
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
 * Returns the first rule that a new password breaks: NIST SP 800-63B-4 §3.1.1.2 with its length in code points, a list of common passwords,
 * and nothing of the user's own. The server decides by this function, and the account pages apply it while somebody types, but without the
 * list, which is too large to send to browsers.
 */
export function passwordFault(
  password: string,
  owner: PasswordOwner,
  { minLength, maxLength, require }: PasswordRules,
  isCommon: (password: string) => boolean = () => false,
): FieldFault | undefined {
  const length = [...password].length;
  if (length < minLength) return tooShort(minLength);
  if (length > maxLength) return tooLong(maxLength);
  for (const [name, pattern, fault] of characterRules) if (require[name] && !pattern.test(password)) return fault;
  if (isCommon(password) || isCommon(password.toLowerCase())) return tooCommon;
  return repeatsOwner(password, owner) ? containsIdentity : undefined;
}

function repeatsOwner(password: string, { username, email }: PasswordOwner): boolean {
  const stem = lettersOnly(password);
  return [username, email, email.split("@")[0] ?? "", "gatehouse"].some(
    (name) => password.toLowerCase() === name.toLowerCase() || (stem.length >= 4 && stem === lettersOnly(name)),
  );
}

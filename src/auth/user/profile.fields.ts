import { AppError } from "../../core/errors.ts";
import { emailKey, isLookAlike, usernameKey } from "./identifiers.ts";

const refuse = (field: string, complaint: string): never => {
  throw new AppError("invalid_payload", { fields: { [field]: complaint } });
};

/** The key of an address that an account may get: one that mail can be sent to, and that looks like no other. */
export function addressKey(email: string): string {
  const key = emailKey(email) ?? refuse("email", "must be an email address");
  return isLookAlike(email) ? refuse("email", "must not have look-alike characters before the @") : key;
}

/** The key of a user name. An address is a name only of its own account, so that no name can shadow another's address. */
export function ownUsernameKey(username: string, ownEmailKey: string): string {
  const key = usernameKey(username) ?? refuse("username", "must be 1 to 64 letters, digits, spaces or . _ -");
  return key.includes("@") && key !== ownEmailKey
    ? refuse("username", "must not be an address other than your own")
    : key;
}

export function imageUrl(field: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") {
    return refuse(field, "must be an http or https URL");
  }
  return url.href;
}

/** An IANA time zone name. */
export function timeZone(field: string, text: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return refuse(field, "must be an IANA time zone");
  }
}

/** A language tag (BCP 47), in canonical form. */
export function languageTag(field: string, text: string): string {
  try {
    return new Intl.Locale(text).toString();
  } catch {
    return refuse(field, "must be a BCP 47 language tag");
  }
}

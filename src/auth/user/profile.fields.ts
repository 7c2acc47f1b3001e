import { FieldFault } from "../../core/fields.ts";
import { emailKey, isLookAlike, usernameKey } from "./identifiers.ts";

/** Returns the key of an address that an account may get: mail can be sent to it, and it looks like no other. */
export function addressKey(email: string): string | FieldFault {
  const key = emailKey(email);
  if (key === undefined) return new FieldFault("invalid_email", "must be an email address");
  return isLookAlike(email)
    ? new FieldFault("look_alike_email", "must not have look-alike characters before the @")
    : key;
}

/**
 * Returns the key of a user name. An address is a name only of its own account, so that no name can shadow another's address. Where the
 * account's address is at fault itself, no address is refused as a name: the other fault must be mended first.
 */
export function ownUsernameKey(username: string, ownEmailKey: string | FieldFault | undefined): string | FieldFault {
  const key = usernameKey(username);
  if (key === undefined)
    return new FieldFault(
      "invalid_username",
      "must be 1 to 64 letters, digits, spaces or . _ -, and begin with a letter or digit",
    );
  return key.includes("@") && typeof ownEmailKey === "string" && key !== ownEmailKey
    ? new FieldFault("foreign_address", "must not be an address other than your own")
    : key;
}

/** Forms of fields as JSON Schema patterns, for the API reference: what is taken has them. The readers have the last word. */
export const profilePatterns = {
  imageUrl: "^[Hh][Tt][Tt][Pp][Ss]?:.+$",
  timeZone: "^[A-Za-z0-9_+:/-]+$",
  languageTag: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
} as const;

export function imageUrl(text: string): string | FieldFault {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "")
    return new FieldFault("invalid_url", "must be an http or https URL");
  return url.href;
}

/** Returns an IANA time zone name. */
export function timeZone(text: string): string | FieldFault {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return new FieldFault("invalid_timezone", "must be an IANA time zone, for example Europe/Berlin");
  }
}

/** Returns a language tag (BCP 47) in canonical form. */
export function languageTag(text: string): string | FieldFault {
  try {
    return new Intl.Locale(text).toString();
  } catch {
    return new FieldFault("invalid_locale", "must be a BCP 47 language tag, for example de-AT");
  }
}

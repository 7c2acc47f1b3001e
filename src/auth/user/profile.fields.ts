import { AppError } from "../../core/errors.ts";

const refuse = (field: string, complaint: string): never => {
  throw new AppError("invalid_payload", { fields: { [field]: complaint } });
};

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

import { day } from "../../../core/clock.ts";
import { invalidFields } from "../../../core/errors.ts";
import { FieldFault, isFault } from "../../../core/fields.ts";
import { readText } from "../../../core/text/text.ts";
import { addressKey, languageTag } from "../../user/profile.fields.ts";
import { applyRoles } from "../../user/roles.ts";

/** The person to invite, and the terms. For an address that is invited already, absent fields stay as they were. */
export interface InvitationForm {
  readonly email: string;
  readonly roles?: readonly string[] | undefined;
  readonly displayName?: string | undefined;
  /** The language of the mail and of the account (BCP 47). */
  readonly locale?: string | undefined;
  readonly days?: number | undefined;
}

const usualDays = 7;
const mostDays = 30;
const longestDisplayName = 200;

/** Returns the form as it is stored. Throws `invalid_payload`, with what is wrong with each field. */
export function readInvitationForm({ email, roles, displayName, locale, days = usualDays }: InvitationForm) {
  const address = readText(email);
  const read = {
    email: isFault(address) ? address : addressKey(address),
    display_name: displayName === undefined ? undefined : readDisplayName(displayName),
    locale: locale === undefined ? undefined : languageTag(locale),
    days:
      Number.isInteger(days) && days >= 1 && days <= mostDays
        ? days
        : new FieldFault("invalid_value", `must be a whole number of days from 1 to ${mostDays}`),
  };
  if (
    isFault(address) ||
    isFault(read.email) ||
    isFault(read.display_name) ||
    isFault(read.locale) ||
    isFault(read.days)
  )
    throw invalidFields(read);
  return {
    email: address,
    emailKey: read.email,
    roles: roles && applyRoles("", { add: roles, remove: [] }).stored,
    displayName: read.display_name,
    locale: read.locale,
    ttlMs: read.days * day,
  };
}

function readDisplayName(text: string): string | FieldFault | undefined {
  const name = readText(text);
  if (isFault(name) || [...name].length <= longestDisplayName) return name === "" ? undefined : name;
  return new FieldFault("too_long", `must have at most ${longestDisplayName} characters`);
}

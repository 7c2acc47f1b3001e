import type { InvitationForm } from "../../auth/index.ts";

/** The content of the form, which is shown again where something is wrong with it. */
export interface InviteFields {
  readonly email: string;
  readonly displayName: string;
  readonly roles: string;
  readonly locale: string;
  readonly days: number;
}

const usualDays = 7;

export const emptyFields = (locale: string): InviteFields => ({
  email: "",
  displayName: "",
  roles: "",
  locale,
  days: usualDays,
});

export function fieldsOf(form: URLSearchParams): InviteFields {
  const textOf = (name: string): string => form.get(name)?.trim() ?? "";
  return {
    email: textOf("email"),
    displayName: textOf("display_name"),
    roles: textOf("roles"),
    locale: textOf("locale") || "en",
    days: Number(form.get("days") ?? usualDays),
  };
}

export const invitationOf = ({ email, displayName, roles, locale, days }: InviteFields): InvitationForm => ({
  email,
  displayName,
  roles: roles.split(/[\s,]+/).filter((role) => role !== ""),
  locale,
  days,
});

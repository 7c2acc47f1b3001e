/** @jsxImportSource #html */
import type { InvitationForm } from "../../auth/index.ts";
import { Choice, Field, Form, Notice } from "../../http/pages/parts/form.tsx";
import type { StaffContext } from "../frame/context.ts";

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

interface InviteFormProps {
  readonly context: StaffContext;
  readonly fields: InviteFields;
  /** Field → its fault, in words. */
  readonly errors: Readonly<Record<string, string>>;
  /** A refusal that no field is to blame for. */
  readonly refusal: string | undefined;
}

/** How many days a link may work. */
const terms = [1, 3, 7, 14, 30];

/** Returns every language that mails have, by its name in the reader's language. */
function languagesOf({ frame, speech }: StaffContext): readonly (readonly [tag: string, name: string])[] {
  const names = new Intl.DisplayNames(speech.language, { type: "language" });
  const byName = new Intl.Collator(speech.language);
  return frame.words.languages
    .map((tag) => [tag, names.of(tag) ?? tag] as const)
    .toSorted(([, a], [, b]) => byName.compare(a, b));
}

/** The form of an invitation. */
export const InviteForm = ({ context, fields, errors, refusal }: InviteFormProps) => {
  const words = context.words.invitations.form;
  const field = (name: string, value: string) =>
    ({ name, type: "text", autocomplete: "off", value, error: errors[name] }) as const;
  return (
    <section class="card" aria-labelledby="invite-title">
      <h2 id="invite-title">{words.title}</h2>
      {refusal !== undefined && (
        <Notice kind="danger">
          <p>{refusal}</p>
        </Notice>
      )}
      <Form action={context.href("/people/invitations")} token={context.token} class="invite">
        <Field {...field("email", fields.email)} type="email" label={words.email} maxLength={320} />
        <Field
          {...field("display_name", fields.displayName)}
          label={words.name}
          hint={words.nameHint}
          maxLength={200}
          isOptional
        />
        <Field
          {...field("roles", fields.roles)}
          label={words.roles}
          hint={words.rolesHint}
          maxLength={1_100}
          isOptional
        />
        <Choice name="locale" label={words.language} value={fields.locale} options={languagesOf(context)} />
        <Choice
          name="days"
          label={words.lasts}
          value={String(fields.days)}
          options={terms.map((count) => [String(count), words.days({ count })] as const)}
        />
        <button class="primary">{words.submit}</button>
      </Form>
    </section>
  );
};

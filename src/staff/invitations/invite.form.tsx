/** @jsxImportSource #html */
import { Choice, Field, Form } from "../../http/pages/parts/form.tsx";
import { Notice } from "../../http/pages/parts/notice.tsx";
import type { StaffContext } from "../frame/context.ts";
import type { InviteFields } from "./invite.fields.ts";

interface InviteFormProps {
  readonly context: StaffContext;
  readonly fields: InviteFields;
  /** Field → its fault, in words. */
  readonly errors: Readonly<Record<string, string>>;
  /** A refusal that no field is to blame for. */
  readonly refusal: string | undefined;
}

const languages = [
  ["en", "English"],
  ["de", "German"],
] as const;
const terms = [1, 3, 7, 14, 30].map((days) => [String(days), days === 1 ? "1 day" : `${days} days`] as const);

/** The form of an invitation. */
export const InviteForm = ({ context, fields, errors, refusal }: InviteFormProps) => {
  const field = (name: string, value: string) =>
    ({ name, type: "text", autocomplete: "off", value, error: errors[name] }) as const;
  return (
    <section class="card" aria-labelledby="invite-title">
      <h2 id="invite-title">Invite somebody</h2>
      {refusal !== undefined && (
        <Notice kind="danger">
          <p>{refusal}</p>
        </Notice>
      )}
      <Form action={context.href("/people/invitations")} token={context.token} class="invite">
        <Field {...field("email", fields.email)} type="email" label="Address" maxLength={320} />
        <Field
          {...field("display_name", fields.displayName)}
          label="Name (optional)"
          hint="The page of the invitation suggests it"
          maxLength={200}
          isOptional
        />
        <Field
          {...field("roles", fields.roles)}
          label="Roles (optional)"
          hint="With commas between them; admin opens these pages"
          maxLength={1_100}
          isOptional
        />
        <Choice name="locale" label="Language of the mail" value={fields.locale} options={languages} />
        <Choice name="days" label="The link works for" value={String(fields.days)} options={terms} />
        <button class="primary">Send the invitation</button>
      </Form>
    </section>
  );
};

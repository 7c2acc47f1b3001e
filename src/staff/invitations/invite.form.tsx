/** @jsxImportSource #html */
import { Field, Form } from "../../http/pages/form.tsx";
import { Notice } from "../../http/pages/notice.tsx";
import type { StaffContext } from "../context.ts";
import type { InviteFields } from "./invite.fields.ts";

interface InviteFormProps {
  readonly context: StaffContext;
  readonly fields: InviteFields;
  /** What is wrong with which field. */
  readonly errors: Readonly<Record<string, string>>;
  /** What is wrong with none of them. */
  readonly refusal: string | undefined;
}

const languages = [
  ["en", "English"],
  ["de", "German"],
] as const;
const terms = [1, 3, 7, 14, 30] as const;

/** Whom to invite, and as what. */
export const InviteForm = ({ context, fields, errors, refusal }: InviteFormProps) => (
  <section class="card" aria-labelledby="invite-title">
    <h2 id="invite-title">Invite somebody</h2>
    {refusal !== undefined && (
      <Notice kind="danger">
        <p>{refusal}</p>
      </Notice>
    )}
    <Form action={context.href("/people/invitations")} token={context.token} class="invite">
      <Field
        name="email"
        label="Address"
        type="email"
        autocomplete="off"
        value={fields.email}
        error={errors["email"]}
        maxLength={320}
      />
      <Field
        name="display_name"
        label="Name (optional)"
        type="text"
        autocomplete="off"
        value={fields.displayName}
        error={errors["display_name"]}
        hint="The page of the invitation suggests it"
        maxLength={200}
        isOptional
      />
      <Field
        name="roles"
        label="Roles (optional)"
        type="text"
        autocomplete="off"
        value={fields.roles}
        error={errors["roles"]}
        hint="With commas between them; admin opens these pages"
        maxLength={1_100}
        isOptional
      />
      <div class="field">
        <label for="locale">Language of the mail</label>
        <select id="locale" name="locale">
          {languages.map(([tag, name]) => (
            <option key={tag} value={tag} selected={fields.locale === tag}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="days">The link works for</label>
        <select id="days" name="days">
          {terms.map((days) => (
            <option key={days} value={String(days)} selected={fields.days === days}>
              {days === 1 ? "1 day" : `${days} days`}
            </option>
          ))}
        </select>
      </div>
      <button class="primary">Send the invitation</button>
    </Form>
  </section>
);

/** @jsxImportSource #html */
import { Field, Form } from "../../http/pages/parts/form.tsx";
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

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

const Choice = ({ name, label, value, options }: ChoiceProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {options.map(([option, words]) => (
        <option key={option} value={option} selected={option === value}>
          {words}
        </option>
      ))}
    </select>
  </div>
);

/** The form of an invitation. */
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
      <Choice name="locale" label="Language of the mail" value={fields.locale} options={languages} />
      <Choice name="days" label="The link works for" value={String(fields.days)} options={terms} />
      <button class="primary">Send the invitation</button>
    </Form>
  </section>
);

/** @jsxImportSource #html */
import type { Person } from "../../auth/index.ts";
import { Field } from "../../http/pages/parts/form.tsx";
import { around } from "../../words/index.ts";
import { ConfirmPage } from "../frame/page.tsx";
import type { StaffContext } from "../frame/context.ts";
import { Chosen } from "./parts.tsx";

interface DeleteProps {
  readonly context: StaffContext;
  readonly person: Pick<Person, "id" | "username" | "displayName">;
  /** The fault of the typed name. */
  readonly error?: string;
}

/** Demands the user name before an account is deleted for good, so that nobody deletes the wrong account by a slip. */
export function DeletePage({ context, person: { id, username, displayName }, error }: DeleteProps) {
  const { title, submit, username: label, hint, means } = context.words.people.deletion;
  return (
    <ConfirmPage
      context={context}
      title={title({ name: displayName })}
      at="/people"
      action={`/people/${id}/delete`}
      label={submit}
      cancel={`/people/${id}`}
      input={
        <Field
          name="username"
          label={label}
          type="text"
          autocomplete="off"
          hint={<>{around(hint, { username: <Chosen>{username}</Chosen> })}</>}
          error={error}
          autofocus
        />
      }
    >
      <ul>
        <li>{means.access}</li>
        <li>{means.account}</li>
        <li>{means.audit}</li>
        <li>{means.final}</li>
      </ul>
    </ConfirmPage>
  );
}

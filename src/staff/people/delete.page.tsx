/** @jsxImportSource #html */
import type { Person } from "../../auth/index.ts";
import { Field } from "../../http/pages/parts/form.tsx";
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
export const DeletePage = ({ context, person: { id, username, displayName }, error }: DeleteProps) => (
  <ConfirmPage
    context={context}
    title={`Delete ${displayName}?`}
    at="/people"
    action={`/people/${id}/delete`}
    label="Delete the account"
    cancel={`/people/${id}`}
    input={
      <Field
        name="username"
        label="User name of the account"
        type="text"
        autocomplete="off"
        hint={
          <>
            Type <Chosen>{username}</Chosen>
          </>
        }
        error={error}
        autofocus
      />
    }
  >
    <ul>
      <li>Every device is signed out at once, and nobody ever signs in to this account again.</li>
      <li>The account goes, with its sessions and linked providers. One last mail tells its owner.</li>
      <li>The audit log stays, without the name and the address.</li>
      <li>Nobody can bring it back. To keep somebody out for a while, disable the account instead.</li>
    </ul>
  </ConfirmPage>
);

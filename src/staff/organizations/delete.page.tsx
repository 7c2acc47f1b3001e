/** @jsxImportSource #html */
import { Field } from "../../http/pages/parts/form.tsx";
import { ConfirmPage } from "../frame/page.tsx";
import type { AboutOrganization } from "./parts.tsx";
import { organizationsPath, pathOf } from "./paths.ts";

interface DeleteProps extends AboutOrganization {
  /** The fault of the typed slug. */
  readonly error?: string;
}

/** Demands the slug before an organization is deleted for good, so that nobody deletes another one by a slip. */
export const DeletePage = ({ context, organization: { id, slug, name, members }, error }: DeleteProps) => (
  <ConfirmPage
    context={context}
    title={`Delete ${name}?`}
    at={organizationsPath}
    action={`${pathOf(id)}/delete`}
    label="Delete the organization"
    cancel={pathOf(id)}
    input={
      <Field
        name="slug"
        label="Slug of the organization"
        type="text"
        autocomplete="off"
        hint={
          <>
            Type <code>{slug}</code>
          </>
        }
        error={error}
        autofocus
      />
    }
  >
    <ul>
      <li>
        {members === 1 ? "Its one member loses" : `All ${members.toLocaleString("en")} members lose`} what they may do
        by it, at the next request. Their accounts stay.
      </li>
      <li>Its invitations are worth nothing any more, and what apps keep on it is gone.</li>
      <li>Nobody can bring it back. Made anew it has another id.</li>
    </ul>
  </ConfirmPage>
);

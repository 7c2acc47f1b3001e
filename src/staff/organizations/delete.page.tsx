/** @jsxImportSource #html */
import { around } from "../../words/index.ts";
import { Field } from "../../http/pages/parts/form.tsx";
import { ConfirmPage } from "../frame/page.tsx";
import type { AboutOrganization } from "./parts.tsx";
import { organizationsPath, pathOf } from "./paths.ts";

interface DeleteProps extends AboutOrganization {
  /** The fault of the typed slug. */
  readonly error?: string;
}

/** Demands the slug before an organization is deleted for good, so that nobody deletes another one by a slip. */
export const DeletePage = ({ context, organization: { id, slug, name, members }, error }: DeleteProps) => {
  const words = context.words.organizations.deleting;
  return (
    <ConfirmPage
      context={context}
      title={words.title({ name })}
      at={organizationsPath}
      action={`${pathOf(id)}/delete`}
      label={words.submit}
      cancel={pathOf(id)}
      input={
        <Field
          name="slug"
          label={words.slug}
          type="text"
          autocomplete="off"
          hint={around(words.slugHint, { slug: <code>{slug}</code> })}
          error={error}
          autofocus
        />
      }
    >
      <ul>
        <li>{words.members({ count: members })}</li>
        <li>{words.invitations}</li>
        <li>{words.final}</li>
      </ul>
    </ConfirmPage>
  );
};

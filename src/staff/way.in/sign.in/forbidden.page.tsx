/** @jsxImportSource #html */
import { EntryForm, EntryPage } from "./parts.tsx";
import type { EntryView } from "./view.ts";

interface ForbiddenProps {
  readonly view: EntryView;
  /** The user name of a signed-in person without the role. */
  readonly username: string;
}

export const ForbiddenPage = ({ view, username }: ForbiddenProps) => {
  const { forbidden, signOut } = view.ownWords;
  return (
    <EntryPage view={view} title={forbidden.title}>
      <p>
        {forbidden.signedInAs} <strong dir="auto">{username}</strong>
      </p>
      <p class="soft">{forbidden.lead(view.frame.product)}</p>
      <EntryForm view={view} action="/logout">
        <button class="primary">{signOut}</button>
      </EntryForm>
    </EntryPage>
  );
};

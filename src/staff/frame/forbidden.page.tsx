/** @jsxImportSource #html */
import { EntryForm, EntryPage, type EntryView } from "../../kit/index.ts";
import { around } from "../../words/index.ts";

interface ForbiddenProps {
  readonly view: EntryView;
  /** The user name of a signed-in person without the role. */
  readonly username: string;
}

/** The page for a signed-in person who is not one of the staff. */
export const ForbiddenPage = ({ view, username }: ForbiddenProps) => {
  const { forbidden, signOut } = view.ownWords;
  return (
    <EntryPage view={view} title={forbidden.title}>
      <p>{around(forbidden.signedInAs, { name: <strong dir="auto">{username}</strong> })}</p>
      <p class="soft">{forbidden.lead({ product: view.frame.mark.product })}</p>
      <EntryForm view={view} action="/logout" submit={signOut} />
    </EntryPage>
  );
};

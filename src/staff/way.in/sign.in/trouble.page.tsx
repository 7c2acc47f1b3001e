/** @jsxImportSource #html */
import type { EntryView } from "./view.ts";
import { EntryPage, Refusal } from "./parts.tsx";

/** The page for a service that can't answer, and can't even tell who asks. */
export const TroublePage = ({ view }: { readonly view: EntryView }) => (
  <EntryPage view={view} title={view.ownWords.trouble}>
    <Refusal view={view} />
  </EntryPage>
);

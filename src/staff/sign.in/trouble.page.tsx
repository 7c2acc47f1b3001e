/** @jsxImportSource #html */
import type { EntryView } from "./view.ts";
import { EntryPage, Refusal } from "./parts.tsx";

/** The service can't answer, and not even say who asks. */
export const TroublePage = ({ view }: { readonly view: EntryView }) => (
  <EntryPage view={view} title={view.ownWords.trouble}>
    <Refusal view={view} />
  </EntryPage>
);

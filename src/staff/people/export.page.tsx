/** @jsxImportSource #html */
import type { Person } from "../../auth/index.ts";
import { ConfirmPage } from "../frame/page.tsx";
import type { StaffContext } from "../frame/context.ts";

interface ExportProps {
  readonly context: StaffContext;
  readonly person: Pick<Person, "id" | "displayName">;
}

/** Says what a file of somebody's data holds before it is written. */
export const ExportPage = ({ context, person: { id, displayName } }: ExportProps) => (
  <ConfirmPage
    context={context}
    title={`Write out what is kept of ${displayName}?`}
    at="/people"
    action={`/people/${id}/export`}
    label="Download the file"
    cancel={`/people/${id}`}
    isDanger={false}
  >
    <ul>
      <li>
        The file holds all that is kept of the account, as its person can download it: profile, devices, mails, events.
      </li>
      <li>It has no password, secret or token, and nothing that services keep to themselves.</li>
      <li>Give it to the person alone. The audit log says that you have written it.</li>
    </ul>
  </ConfirmPage>
);

/** @jsxImportSource #html */
import type { Person } from "../../auth/index.ts";
import { ConfirmPage } from "../frame/page.tsx";
import type { StaffContext } from "../frame/context.ts";

interface ExportProps {
  readonly context: StaffContext;
  readonly person: Pick<Person, "id" | "displayName">;
}

/** Says what a file of somebody's data holds before it is written. */
export function ExportPage({ context, person: { id, displayName } }: ExportProps) {
  const { title, submit, means } = context.words.people.export;
  return (
    <ConfirmPage
      context={context}
      title={title({ name: displayName })}
      at="/people"
      action={`/people/${id}/export`}
      label={submit}
      cancel={`/people/${id}`}
      isDanger={false}
    >
      <ul>
        <li>{means.holds}</li>
        <li>{means.lacks}</li>
        <li>{means.audit}</li>
      </ul>
    </ConfirmPage>
  );
}

/** @jsxImportSource #html */
import type { Person } from "../../../auth/index.ts";
import { Field } from "../../../http/pages/parts/form.tsx";
import { ConfirmPage } from "../../frame/page.tsx";
import type { StaffContext } from "../../frame/context.ts";
import { longestReason } from "./reason.ts";

interface ImpersonateProps {
  readonly context: StaffContext;
  readonly person: Pick<Person, "id" | "displayName">;
  /** What was typed before, and its fault. */
  readonly typed?: string;
  readonly error?: string;
}

/** Asks for the reason before staff look at somebody's account with that person's eyes, and says what follows. */
export function ImpersonatePage({ context, person: { id, displayName: name }, typed, error }: ImpersonateProps) {
  const { title, submit, reason, hint, means } = context.words.people.impersonation;
  const { product } = context.frame.mark;
  return (
    <ConfirmPage
      context={context}
      title={title({ name })}
      at="/people"
      action={`/people/${id}/impersonate`}
      isDanger={false}
      label={submit}
      cancel={`/people/${id}`}
      input={
        <Field
          name="reason"
          label={reason}
          type="text"
          autocomplete="off"
          maxLength={longestReason}
          value={typed}
          hint={hint}
          error={error}
          autofocus
        />
      }
    >
      <ul>
        <li>{means.looks({ product, name })}</li>
        <li>{means.changes}</li>
        <li>{means.told({ name })}</li>
        <li>{means.signsOut({ product })}</li>
      </ul>
    </ConfirmPage>
  );
}

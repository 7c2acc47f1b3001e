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
export const ImpersonatePage = ({ context, person: { id, displayName }, typed, error }: ImpersonateProps) => (
  <ConfirmPage
    context={context}
    title={`Look at the account of ${displayName}?`}
    at="/people"
    action={`/people/${id}/impersonate`}
    isDanger={false}
    label="Open the account"
    cancel={`/people/${id}`}
    input={
      <Field
        name="reason"
        label="Reason"
        type="text"
        autocomplete="off"
        maxLength={longestReason}
        value={typed}
        hint="Such as the number of a ticket. It stays in the audit log, which the person can export."
        error={error}
        autofocus
      />
    }
  >
    <ul>
      <li>
        For 15 minutes you see {context.frame.mark.product} as {displayName} does. A bar at the top says so, and ends
        it.
      </li>
      <li>You look, and change nothing: neither the account, nor what it has allowed apps, nor its organizations.</li>
      <li>A mail tells {displayName} that you are there. They see it among their devices, and can end it at once.</li>
      <li>If you are signed in to {context.frame.mark.product} in this browser yourself, you are signed out there.</li>
    </ul>
  </ConfirmPage>
);

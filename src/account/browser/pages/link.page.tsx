import type { ComponentChildren } from "preact";
import type { Failure } from "../../../client/index.ts";
import { useSending, type Progress } from "../acts/sending.ts";
import { Button, Refusal } from "../parts/form.tsx";
import { Page } from "../parts/page.tsx";

interface LinkPageProps {
  readonly title: string;
  readonly lead: string;
  /** The act of the link, as a verb. */
  readonly submit: string;
  readonly kind?: "danger";
  readonly isFirst?: boolean;
  readonly progress: Progress;
  readonly onSubmit: () => void;
  /** The way for a reader who wants something else. */
  readonly other?: ComponentChildren;
}

/** Does what a mailed link is for, by a click. Opening the link changes nothing, since programs also open the links of mails. */
export function LinkPage({ title, lead, submit, kind, isFirst = false, progress, onSubmit, other }: LinkPageProps) {
  const button = (
    <Button kind={kind ?? "primary"} isFirst={isFirst} progress={progress} onClick={onSubmit}>
      {submit}
    </Button>
  );
  return (
    <Page title={title}>
      <p>{lead}</p>
      <Refusal progress={progress} />
      {other === undefined ? (
        button
      ) : (
        <div class="stack">
          {button}
          {other}
        </div>
      )}
    </Page>
  );
}

/** Sends the request of a link. Calls `onDead` for a link that no longer works. */
export const useRedeeming = (onDead: (why: "used" | "taken") => void) =>
  useSending(({ code }: Failure) => {
    const isUsed = code === "invalid_verification_token" || code === "invalid_payload";
    if (!isUsed && code !== "email_taken") return false;
    onDead(isUsed ? "used" : "taken");
    return true;
  });

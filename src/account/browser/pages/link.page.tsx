import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Failure, Result } from "../../../client/index.ts";
import { useSending, type Progress } from "../acts/sending.ts";
import { Skeleton } from "../parts/blocks.tsx";
import { Button, Refusal } from "../parts/form.tsx";
import { Page } from "../parts/page.tsx";
import type { Ticket } from "../router.ts";

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
    const isUsed = code.startsWith("invalid_");
    if (!isUsed && code !== "email_taken") return false;
    onDead(isUsed ? "used" : "taken");
    return true;
  });

type Look = "looking" | "good" | "dead";

/** What is answered for a link that was cut off, and for one of a kind that is off here. */
const refusals: readonly Failure["code"][] = ["invalid_payload", "email_login_disabled"];

/** Looks at the link before its reader does anything. Of a look that fails otherwise nothing is known: the click tells what is wrong. */
export function useLook(ticket: Ticket | undefined, ask: (token: string) => Promise<Result<{ good: boolean }>>): Look {
  const look = useSignal<Look>("looking");
  useEffect(() => {
    if (ticket === undefined) return;
    void ask(ticket.token).then((result) => {
      const isDead = result.ok ? !result.good : refusals.includes(result.code);
      look.value = isDead ? "dead" : "good";
    });
  }, []);
  return look.value;
}

/** Stands in for the page of a link while the link is looked at. */
export const Looking = ({ title }: Pick<LinkPageProps, "title">) => (
  <Page key="looking" title={title}>
    <Skeleton />
  </Page>
);

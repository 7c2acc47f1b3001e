import type { ComponentChildren } from "preact";
import type { Result, User } from "../../../../client/index.ts";
import type { Holdings } from "../../acts/holdings.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount } from "../../context.ts";
import { Dialog, Skeleton } from "../../parts/blocks.tsx";
import { Button, Buttons, Refusal } from "../../parts/form.tsx";

/** The properties of every section of the account page. */
export interface SectionProps {
  /** The section's id in the page. */
  readonly id: string;
  readonly title: string;
  readonly user: User;
  readonly holdings: Holdings;
}

/** The properties of a form that a section opens. */
export interface OpenedProps {
  readonly user: User;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Replaces data that is still being fetched, or could not be fetched. */
export function Awaited({ resource }: { readonly resource: Pick<Holdings["user"], "hasFailed" | "load"> }) {
  const { acts, trouble } = useAccount().words.value;
  if (!resource.hasFailed.value) return <Skeleton />;
  return (
    <div class="row">
      <p role="status">{acts.notLoaded}</p>
      <Button onClick={() => void resource.load()}>{trouble.again}</Button>
    </div>
  );
}

interface QuestionProps<T> {
  readonly title: string;
  /** The name of the act. */
  readonly submit: string;
  readonly cancel: string;
  readonly ask: () => Promise<Result<T>>;
  readonly onDone: (answer: T) => void;
  readonly onClose: () => void;
  /** Says what will happen. */
  readonly children: ComponentChildren;
}

/** Asks once before something is removed, replaced or ended. */
export function Question<T>({ title, submit, cancel, ask, onDone, onClose, children }: QuestionProps<T>) {
  const { act, ...progress } = useActing();
  const go = (): void =>
    void act(ask, (answer) => {
      onClose();
      onDone(answer);
    });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Refusal progress={progress} />
      <Buttons kind="danger" progress={progress} onClick={go} cancel={cancel} onCancel={onClose}>
        {submit}
      </Buttons>
    </Dialog>
  );
}

import type { ComponentChildren } from "preact";
import type { Result } from "../../../../../client/index.ts";
import { useActing } from "../../../acts/acting.ts";
import { useAccount } from "../../../context.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Refusal } from "../../../parts/form/refusal.tsx";
import { useWaiting } from "../../../acts/waiting.ts";

interface QuestionProps<T> {
  readonly title: string;
  /** The name of the act. */
  readonly submit: string;
  readonly ask: () => Promise<Result<T>>;
  readonly onDone: (answer: T) => void;
  readonly onClose: () => void;
  /** Says what will happen. */
  readonly children: ComponentChildren;
}

/** Asks once before something is removed or replaced. */
export function Question<T>({ title, submit, ask, onDone, onClose, children }: QuestionProps<T>) {
  const { factors } = useAccount().words.value;
  const { isBusy, refusal, act } = useActing();
  const waiting = useWaiting(refusal.value);
  const go = (): void =>
    void act(ask, (answer) => {
      onClose();
      onDone(answer);
    });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Refusal failure={refusal.value} waiting={waiting} />
      <div class="buttons">
        <Button kind="danger" isBusy={isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={go}>
          {submit}
        </Button>
        <Button onClick={onClose}>{factors.section.keep}</Button>
      </div>
    </Dialog>
  );
}

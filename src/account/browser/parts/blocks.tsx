import type { ComponentChildren, TargetedEvent } from "preact";
import { useLayoutEffect, useId, useRef } from "preact/hooks";
import { useAccount, useWords } from "../context.ts";
import { around } from "../../../words/message.ts";
import { exactly, relatively } from "../time.ts";

interface CardProps {
  readonly id: string;
  readonly title: string;
  /** One line about the current state, before the section offers any act. */
  readonly state: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section of a page: its heading, and beside it what it says. A button that follows the state stands at the end of that line. */
export const Card = ({ id, title, state, children }: CardProps) => (
  <section class="item" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`} tabIndex={-1}>
      {title}
    </h2>
    <div class="content">
      {state !== undefined && <p class="state">{state}</p>}
      {children}
    </div>
  </section>
);

interface NoticeProps {
  readonly kind?: "danger" | "warning" | "good";
  readonly children: ComponentChildren;
}

/** Tells the reader what has happened. A screen reader reads dangers and warnings at once, and other notices when there is a pause. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind ?? ""}`} role={kind === "danger" || kind === "warning" ? "alert" : "status"}>
    {children}
  </div>
);

/** The result of an act. The element is always there, so that a screen reader reads every change. */
export const Outcome = ({ text }: { readonly text: string | undefined }) => (
  <p class="outcome" role="status">
    {text}
  </p>
);

/** Replaces a part that had the focus. Its beginning takes the focus, so that a screen reader reads it and it comes into view. */
export function Arriving({ children }: { readonly children: ComponentChildren }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.querySelector<HTMLElement>("[tabindex='-1']")?.focus(), []);
  return (
    <div ref={ref} class="arriving">
      {children}
    </div>
  );
}

/** Holds the place of data that is being fetched. It appears after 300 ms, so that a quick answer does not flicker. */
export const Skeleton = () => (
  <div class="skeleton-lines" role="status">
    <span class="unseen">{useWords().loading}</span>
    {[0, 1, 2].map((line) => (
      <span key={line} class="skeleton-line" />
    ))}
  </div>
);

interface TimeProps {
  /** A time in the form of RFC 3339. */
  readonly at: string;
  /** Shows the exact time. Otherwise the text is relative, and pointing at it shows the exact time. */
  readonly isExact?: boolean;
}

/** A moment in the zone of the reader. */
function Time({ at, isExact = false }: TimeProps) {
  const { words, session } = useAccount();
  const exact = exactly(at, words.value.tag, session.user.value?.timezone ?? undefined);
  return (
    <time dateTime={at} title={isExact ? undefined : exact}>
      {isExact ? exact : relatively(at, Date.now(), words.value)}
    </time>
  );
}

interface DatedProps extends TimeProps {
  readonly say: (values: { readonly time: string }) => string;
}

/** A text with a moment in it. */
export const Dated = ({ say, ...time }: DatedProps) => <>{around(say, { time: <Time {...time} /> })}</>;

interface DialogProps {
  readonly title: string;
  /** Called when the dialog was closed, also by the Escape key. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A question that has to be answered before anything else. Rendering opens it; on closing, the focus returns to its earlier place. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  // Browsers report a closing with their next frame. A dialog that has left the page by then must not close the one that was opened after it.
  const closed = ({ currentTarget }: TargetedEvent<HTMLDialogElement>): void => {
    if (currentTarget.isConnected) onClose();
  };
  return (
    <dialog ref={ref} class="card" aria-labelledby={titleId} onClose={closed}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

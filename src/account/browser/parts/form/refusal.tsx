import type { Failure } from "../../../../client/index.ts";
import { useAccount } from "../../context.ts";
import { refusalInWords } from "../../../shared/refusals.ts";
import { asClock, timeOfDay } from "../../time.ts";
import type { Waiting } from "../../acts/waiting.ts";
import { Notice } from "../notice.tsx";

interface RefusalProps {
  readonly failure: Failure | undefined;
  readonly waiting?: Waiting | undefined;
}

/** Says why a form was refused. Where the reader has to wait, says until when, with a countdown. */
export function Refusal({ failure, waiting }: RefusalProps) {
  const { words: spoken, session } = useAccount();
  const words = spoken.value;
  if (failure === undefined) return null;
  if (waiting === undefined) return <Notice kind="danger">{refusalInWords(words, failure.code)}</Notice>;
  const { refusals, tag } = words;
  if (waiting.secondsLeft === 0) return <Notice kind="good">{refusals.awake}</Notice>;
  const isLocked = failure.code === "account_locked";
  const time = timeOfDay(waiting.until, tag);
  return (
    <Notice kind="warning">
      <p>
        <strong>{isLocked ? refusals.locked : refusals.limited}</strong>
      </p>
      <p>{isLocked && session.user.value === undefined ? refusals.lockedUntil(time) : refusals.limitedUntil(time)}</p>
      {/* A screen reader does not read the countdown each second: the time of day above says the same. */}
      <p class="countdown" role="timer" aria-live="off">
        {refusals.left(asClock(waiting.secondsLeft))}
      </p>
    </Notice>
  );
}

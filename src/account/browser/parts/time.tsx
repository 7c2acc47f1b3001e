import { useAccount } from "../context.ts";
import { exactly, relatively } from "../time.ts";

interface TimeProps {
  /** A time in the form of RFC 3339. */
  readonly at: string;
  /** Shows the exact time. Otherwise the text is relative, and pointing at it shows the exact time. */
  readonly isExact?: boolean;
}

/** A moment in the zone of the reader. */
export function Time({ at, isExact = false }: TimeProps) {
  const { words, session } = useAccount();
  const exact = exactly(at, words.value.tag, session.user.value?.timezone ?? undefined);
  return (
    <time dateTime={at} title={isExact ? undefined : exact}>
      {isExact ? exact : relatively(at, Date.now(), words.value)}
    </time>
  );
}

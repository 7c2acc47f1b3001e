import { DatabaseUnavailable } from "../index.ts";

interface Waiting {
  readonly since: number;
  readonly isAlone: boolean;
  readonly reject: (error: unknown) => void;
}

interface DeadlineOptions {
  readonly limitMs: number;
  /** What a call that is ended says. */
  readonly words: string;
  /** Called when the server answers no more, over one connection or over all. */
  readonly onSilence: () => void;
}

/**
 * Ends calls that the server has left unanswered for too long. A network that swallows packets causes that: no connection is closed then,
 * and no timeout of the server arrives. One timer looks after all waiting calls, and runs only while there are some.
 */
export function createDeadlines({ limitMs, words, onSilence }: DeadlineOptions) {
  const lookEveryMs = Math.min(250, limitMs / 4);
  // Calls in the order of arrival, so that the first is the oldest.
  const waiting = new Set<Waiting>();
  let answeredAt = 0;
  let timer: Timer | undefined;

  function look(): void {
    timer = undefined;
    const oldest = performance.now() - limitMs;
    const late = [...waiting].filter(({ since }) => since <= oldest);
    // A call that shares a connection may be late because of the calls ahead of it, which are being answered then.
    if (late.some(({ isAlone }) => isAlone || answeredAt <= oldest)) onSilence();
    for (const each of late) {
      waiting.delete(each);
      each.reject(new DatabaseUnavailable(words));
    }
    if (waiting.size > 0) timer = setTimeout(look, lookEveryMs);
  }

  /** Rejects with the work, or when there was no answer in time. `isAlone`: nothing else was asked over the connection. */
  return <T>(work: PromiseLike<T>, { isAlone }: { readonly isAlone: boolean }): Promise<T> =>
    new Promise((resolve, reject) => {
      const each: Waiting = { since: performance.now(), isAlone, reject };
      waiting.add(each);
      timer ??= setTimeout(look, lookEveryMs);
      const settle = (): void => {
        answeredAt = performance.now();
        waiting.delete(each);
      };
      work.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error);
        },
      );
    });
}

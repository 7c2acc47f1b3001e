import { DatabaseUnavailable } from "../index.ts";

interface Waiting {
  readonly since: number;
  readonly reject: (error: unknown) => void;
}

const lookEveryMs = 250;

/**
 * Ends whatever the server has left unanswered for too long. That happens where the network swallows packets: no connection is
 * closed then, and no timeout of the server arrives. One timer looks after all that wait, and runs only while something does.
 */
export function createDeadlines({ limitMs, onSilence }: { readonly limitMs: number; readonly onSilence: () => void }) {
  // In the order of arrival, so that the first is the oldest.
  const waiting = new Set<Waiting>();
  let timer: Timer | undefined;

  function look(): void {
    timer = undefined;
    const oldest = performance.now() - limitMs;
    const late = [...waiting].filter(({ since }) => since <= oldest);
    if (late.length > 0) onSilence();
    for (const each of late) {
      waiting.delete(each);
      each.reject(new DatabaseUnavailable(`the server has not answered for ${limitMs} ms`, undefined));
    }
    if (waiting.size > 0) timer = setTimeout(look, lookEveryMs);
  }

  return {
    watch<T>(work: PromiseLike<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        const each: Waiting = { since: performance.now(), reject };
        waiting.add(each);
        timer ??= setTimeout(look, lookEveryMs);
        work.then(
          (value) => {
            waiting.delete(each);
            resolve(value);
          },
          (error: unknown) => {
            waiting.delete(each);
            reject(error);
          },
        );
      });
    },
  };
}

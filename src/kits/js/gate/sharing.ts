/** How many steps of the same turn of the event loop may lie between questions that are asked as one. */
const steps = 20;

/**
 * Asks one question for all who ask it at the same time: about one request while its answer is awaited, and with equal credentials in the same
 * turn. An answer to a question that was sent before another request came is not for that request: a sign-out counts at the next one, and
 * nothing is remembered. No request waits for the work of an earlier one, which some runtimes forbid.
 */
export function createSharing<T>() {
  const byRequest = new WeakMap<object, Map<string, Promise<T>>>();
  const ofThisTurn = new Map<string, Promise<T>>();

  async function lookOnce(key: string, look: () => Promise<T>): Promise<T> {
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    ofThisTurn.delete(key);
    return look();
  }

  function begin(key: string, look: () => Promise<T>): Promise<T> {
    const running = lookOnce(key, look);
    ofThisTurn.set(key, running);
    return running;
  }

  return async (request: object, key: string, look: () => Promise<T>): Promise<T> => {
    const asked = byRequest.get(request) ?? new Map<string, Promise<T>>();
    byRequest.set(request, asked);
    const running = asked.get(key) ?? ofThisTurn.get(key) ?? begin(key, look);
    asked.set(key, running);
    try {
      return await running;
    } finally {
      asked.delete(key);
    }
  };
}

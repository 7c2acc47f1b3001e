const pauseMs = 20;

/** Asks again until there is an answer. Throws the complaint if there is none in time. */
export async function deadline<T>(ms: number, complaint: string, ask: () => Promise<T | undefined>): Promise<T> {
  const until = performance.now() + ms;
  let cause: unknown;
  while (performance.now() < until) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      cause = error;
    }
    await Bun.sleep(pauseMs);
  }
  throw new Error(complaint, { cause });
}

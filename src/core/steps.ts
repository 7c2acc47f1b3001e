const pauseMs = 2;
const maxSteps = 100_000;

/**
 * Repeats a small step of a long cleanup until it says that nothing is left, with a pause between, so that no request
 * waits for it. Resolves to the number of steps.
 */
export async function inSteps(step: () => Promise<boolean>, signal: AbortSignal): Promise<number> {
  for (let steps = 1; steps <= maxSteps; steps += 1) {
    const more = await step();
    if (!more || signal.aborted) return steps;
    await Bun.sleep(pauseMs);
  }
  return maxSteps;
}

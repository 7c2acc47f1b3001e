const pauseMs = 2;
const maxSteps = 100_000;
/** How many rows one statement changes: few enough that no other writer waits for long. */
const rowsAStep = 100;

/**
 * Changes any number of rows in small steps with pauses, so that no request waits for long. `step` changes at most `limit` rows and
 * resolves to how many it changed; fewer than `limit` means that none is left. An abort ends the work after the current step. Resolves to
 * the number of rows changed.
 */
export async function inSteps(step: (limit: number) => Promise<number>, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const changed = await step(rowsAStep);
    total += changed;
    if (changed < rowsAStep || signal?.aborted === true) break;
    await Bun.sleep(pauseMs);
  }
  return total;
}

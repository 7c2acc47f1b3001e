export type Outcome = "ok" | "failed";

/** Settles as the work does, after reporting whether it succeeded. */
export async function watchOutcome<T>(work: Promise<T>, watch: (outcome: Outcome) => void): Promise<T> {
  try {
    const result = await work;
    watch("ok");
    return result;
  } catch (error) {
    watch("failed");
    throw error;
  }
}

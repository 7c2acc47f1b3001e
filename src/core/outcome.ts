export type Outcome = "ok" | "failed";

/** Settles as the work does, after saying which of the two it was. */
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

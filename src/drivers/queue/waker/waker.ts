/**
 * Tells the workers of all processes that a queue may have got a job. A wake says nothing of the job and may be lost or repeated: only the
 * table says which jobs there are and who has them.
 */
export interface Waker {
  /** Tells the workers of these apps, in the background: never throws, and nobody waits for it. */
  tell(apps: ReadonlySet<string>): void;
  /** Calls `wake` whenever a job may have come, and when `hears` has changed. */
  listen(wake: () => void): void;
  /** Returns whether wakes reach this process at the moment. While they do not, its workers have to poll the table. */
  hears(): boolean;
  /** Rejects with the reason while workers can't be told. */
  check(): Promise<void>;
}

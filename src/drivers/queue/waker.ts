/**
 * Tells the workers of all processes that a queue may have got a job. What is told holds nothing of the job and may be lost or
 * repeated: the table alone says which jobs there are and who has them.
 */
export interface Waker {
  /** Tells the workers of these apps, in the background: it never throws, and nobody waits for it. */
  tell(apps: ReadonlySet<string>): void;
  /** Calls `wake` whenever a job may have come, and when `hears` has changed. */
  listen(wake: () => void): void;
  /** Whether this process is told at the moment. While it is not, its workers have to ask the table all the time. */
  hears(): boolean;
  /** Rejects with the reason while workers can't be told. */
  check(): Promise<void>;
}

import { second } from "../../core/clock.ts";
import { createPause } from "../../core/pace/pause.ts";

interface OnceMigratedOptions {
  readonly isMigrated: () => Promise<boolean>;
  /** Called when the database is not migrated yet. */
  readonly onWait: () => void;
  readonly work: () => Promise<void>;
  /** Called when the work has failed after a wait. The work is tried again. */
  readonly onFailure: (error: unknown) => void;
}

const askAgainMs = second;

/**
 * Runs `work`, which needs the tables of the database. Where the tables exist it runs at once, and its failure rejects. Otherwise a process
 * that was started before the migration looks every second, and the result is a function that gives up.
 */
export async function onceMigrated({
  isMigrated,
  onWait,
  work,
  onFailure,
}: OnceMigratedOptions): Promise<() => Promise<void>> {
  async function attempt(): Promise<boolean> {
    if (!(await isMigrated())) return false;
    await work();
    return true;
  }
  if (await attempt()) return async () => undefined;
  onWait();
  const pause = createPause();

  async function watch(): Promise<void> {
    for (;;) {
      await pause.rest(askAgainMs);
      if (pause.isCancelled()) return;
      try {
        if (await attempt()) return;
      } catch (error) {
        onFailure(error);
      }
    }
  }
  const watching = watch();
  return async () => {
    pause.cancel();
    await watching;
  };
}

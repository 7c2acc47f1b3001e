import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { Log } from "../observe/index.ts";
import type { ScheduleRepository } from "./schedule.repository.ts";

interface RecordOptions {
  readonly history: Pick<ScheduleRepository, "began" | "ended">;
  readonly name: string;
  readonly requestedBy: string | null;
  readonly clock: Clock;
  readonly log: Log;
}

const longestError = 500;

/** Records one run for people to look at. Never rejects: a record that can't be written is no reason not to run. */
export function createRunRecord({ history, name, requestedBy, clock, log }: RecordOptions) {
  const id = newId();

  async function write(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      log.warn("a run of a schedule could not be recorded", { schedule: name, error });
    }
  }

  return {
    begin: () => write(history.began({ id, name, startedAt: clock.now(), requestedBy })),
    /** Records the end. A run without an error went well. */
    end: (error: string | undefined) =>
      write(history.ended(id, { endedAt: clock.now(), error: error?.slice(0, longestError) ?? null })),
  };
}

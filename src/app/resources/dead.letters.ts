import { auditRow } from "../../audit/index.ts";
import type { Config } from "../../config/index.ts";
import { auditEntry } from "../../core/audit.ts";
import { createDeadLetters, type DeadLettersOptions } from "../../drivers/queue/table/dead.letters.ts";
import type { DeadLetters } from "../../drivers/queue/index.ts";

interface RecordedOptions extends Pick<DeadLettersOptions, "database" | "clock" | "wake"> {
  readonly config: {
    readonly app: Pick<Config["app"], "name" | "operator">;
    readonly queue: Pick<Config["queue"], "maxAttempts">;
  };
}

/** The one way in which pages, commands and the API retry dead letters: each retry commits with its row in the audit log. */
export const openDeadLetters = ({ config, ...options }: RecordedOptions): DeadLetters =>
  createDeadLetters({
    ...options,
    maxAttempts: config.queue.maxAttempts,
    record: ({ job, count, by }) =>
      auditRow(
        config.app,
        auditEntry({ topic: "queue.retried", payload: { count }, by, reason: job ?? "all" }, options.clock.now()),
      ),
  });

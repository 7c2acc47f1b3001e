import { auditRow } from "../../audit/index.ts";
import type { Config } from "../../config/index.ts";
import { auditEntry } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../drivers/database/index.ts";
import { createDeadLetters } from "../../drivers/queue/dead.letters.ts";
import type { DeadLetters } from "../../drivers/queue/index.ts";

interface DeadLettersOptions {
  readonly config: { readonly app: Pick<Config["app"], "name">; readonly queue: Pick<Config["queue"], "maxAttempts"> };
  readonly database: Database;
  readonly clock: Clock;
}

/** The one way in which pages, commands and the API retry dead letters: each retry commits with its row in the audit log. */
export const openDeadLetters = ({ config, database, clock }: DeadLettersOptions): DeadLetters =>
  createDeadLetters({
    database,
    clock,
    maxAttempts: config.queue.maxAttempts,
    record: ({ job, count, by }) =>
      auditRow(
        config.app.name,
        auditEntry({ topic: "queue.retried", payload: { count }, by, reason: job ?? "all" }, clock.now()),
      ),
  });

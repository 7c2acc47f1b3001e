import type { Clock } from "../../core/clock.ts";
import type { Schedule } from "../../core/module.ts";
import { inSteps } from "../../core/pace/steps.ts";
import type { Database } from "../database/index.ts";
import { createEntryRepository } from "./entry.repository.ts";

/** `cache:prune`: hourly, whatever caches are configured today: rows of one that was dropped expire too. */
export function createCachePrune({ database, clock }: { database: Database; clock: Clock }): Schedule {
  const entries = createEntryRepository(database);
  return {
    name: "cache:prune",
    cron: "47 * * * *",
    async run(signal) {
      const now = clock.now();
      await inSteps((limit) => entries.prune(now, limit), signal);
    },
  };
}

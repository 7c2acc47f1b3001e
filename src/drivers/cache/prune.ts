import { type AgeClock, byAge } from "../../core/clock.trust.ts";
import type { Schedule } from "../../core/module.ts";
import { inSteps } from "../../core/pace/steps.ts";
import type { Database } from "../database/index.ts";
import { createEntryRepository } from "./entry.repository.ts";

/** `cache:prune`: hourly, whatever caches are configured today: rows of one that was dropped expire too. */
export function createCachePrune({ database, ages }: { database: Database; ages: AgeClock }): Schedule {
  const entries = createEntryRepository(database);
  return {
    name: "cache:prune",
    cron: "47 * * * *",
    run: (signal) => byAge(ages, async (now) => void (await inSteps((limit) => entries.prune(now, limit), signal))),
  };
}

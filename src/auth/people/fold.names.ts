import type { Schedule } from "../../core/module.ts";
import { inSteps } from "../../core/pace/steps.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import { foldedName } from "../user/identifiers.ts";
import type { PeopleRepository } from "./people.repository.ts";

interface FoldOptions {
  readonly database: Database;
  readonly people: PeopleRepository;
  readonly log: Log;
}

/**
 * `auth:fold-names`: makes display names that an earlier release has stored findable, in small steps. While releases of both kinds run, new
 * ones appear. Without any left it costs one look at an empty index.
 */
export const createFoldNames = ({ database, people, log }: FoldOptions): Schedule => ({
  name: "auth:fold-names",
  cron: "*/5 * * * *",
  async run(signal) {
    const folded = await inSteps(async (limit) => {
      const rows = await people.unfolded(limit);
      // Not durable: names whose folding is lost in a crash are folded again.
      if (rows.length > 0)
        await database.batch(
          rows.map(({ id, displayName }) => people.fold(id, displayName, foldedName(displayName))),
          { durable: false },
        );
      return rows.length;
    }, signal);
    if (folded > 0) log.info("display names made findable", { rows: folded });
  },
});

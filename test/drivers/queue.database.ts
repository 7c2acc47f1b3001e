import type { Database } from "../../src/drivers/database/index.ts";
import type { Queue, UnitOfWork } from "../../src/drivers/queue/index.ts";
import { createUnitOfWork } from "../../src/drivers/queue/unit.of.work.ts";
import { type TemporaryDatabase, temporaryDatabase } from "../support/database.ts";

export type JobDatabase = TemporaryDatabase;

/** Opens a throwaway database with one table more: notes, for the rows that a job belongs to. */
export async function openJobDatabase(): Promise<JobDatabase> {
  const fixture = await temporaryDatabase();
  await fixture.database.run("create table notes (id text primary key)");
  return fixture;
}

/** Returns a queue together with the unit of work that fills it. */
export const filling = <Q extends Queue>(database: Database, queue: Q): Q & UnitOfWork => ({
  ...queue,
  ...createUnitOfWork(database, queue),
});

import { type TemporaryDatabase, temporaryDatabase } from "../support/database.ts";

export type JobDatabase = TemporaryDatabase;

/** A throwaway database with one table more: notes, for the rows that a job belongs to. */
export async function openJobDatabase(): Promise<JobDatabase> {
  const fixture = await temporaryDatabase();
  await fixture.database.run("create table notes (id text primary key)");
  return fixture;
}

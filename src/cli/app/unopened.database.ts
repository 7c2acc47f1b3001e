import type { Dialect, OpenedDatabase } from "../../drivers/database/index.ts";

/** A stand-in for the database in commands that only describe the app. Using it is a programming error. */
export function unopenedDatabase(driver: Dialect): OpenedDatabase {
  const refuse = async (): Promise<never> => {
    throw new Error("this command opens no database");
  };
  return {
    database: { dialect: driver, get: refuse, all: refuse, run: refuse, batch: refuse, close: async () => {} },
    // The app that is described has the schedules of backups, where its database makes any.
    ...(driver === "sqlite" && { backups: { backUp: refuse }, changes: { follow: () => undefined } }),
    health: { driver, name: "default", ping: refuse, checkWritable: refuse },
  };
}

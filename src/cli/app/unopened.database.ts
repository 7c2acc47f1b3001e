import type { Database, Dialect } from "../../drivers/database/index.ts";

/** A stand-in for the database in commands that only describe the app. Using it is a programming error. */
export function unopenedDatabase(driver: Dialect): Database {
  const refuse = async (): Promise<never> => {
    throw new Error("this command opens no database");
  };
  return {
    driver,
    dialect: driver,
    name: "default",
    get: refuse,
    all: refuse,
    run: refuse,
    batch: refuse,
    hasTable: refuse,
    ping: refuse,
    checkWritable: refuse,
    close: async () => {},
  };
}

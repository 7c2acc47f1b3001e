import type { Database, Dialect } from "../../drivers/database/index.ts";

/** Stands for the database in commands that only describe the app. Any use of it is a programming mistake. */
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

import type { Database } from "../drivers/database/index.ts";

/** For commands that describe the app without touching what it stores: any use is a mistake of ours. */
export function unopenedDatabase(driver: string): Database {
  const refuse = async (): Promise<never> => {
    throw new Error("this command opens no database");
  };
  return {
    driver,
    name: "default",
    get: refuse,
    all: refuse,
    run: refuse,
    batch: refuse,
    hasTable: refuse,
    ping: refuse,
    close: async () => {},
  };
}

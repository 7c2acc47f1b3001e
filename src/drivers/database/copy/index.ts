import type { DatabaseSettings } from "../open.ts";
import type { CopySource, CopyTarget } from "./side.ts";

export { copyRows, FlawedRows, type CopyReport } from "./copy.ts";

/** The settings of a database to copy from or to. */
export type CopyPlace = DatabaseSettings;

/** Opens the database to copy from. A driver is loaded only when it is used. */
export const openSource = async ({ driver, path, url = "" }: CopyPlace): Promise<CopySource> =>
  driver === "sqlite"
    ? (await import("./sqlite.ts")).openSqliteSource(path)
    : (await import("./postgres.ts")).openPostgresSource(url);

export const openTarget = async ({ driver, path, url = "" }: CopyPlace): Promise<CopyTarget> =>
  driver === "sqlite"
    ? (await import("./sqlite.ts")).openSqliteTarget(path)
    : (await import("./postgres.ts")).openPostgresTarget(url);

import type { DatabaseSettings } from "../open.ts";
import type { CopySource, CopyTarget } from "./side.ts";

export type { DatabaseSettings as CopyPlace } from "../open.ts";
export { copyRows, FlawedRows, type CopyReport, type CopyStep } from "./copy.ts";

/** Opens the database to copy from. A driver is loaded only when it is used. */
export const openSource = async ({ driver, path, url = "" }: DatabaseSettings): Promise<CopySource> =>
  driver === "sqlite"
    ? (await import("./sqlite.ts")).openSqliteSource(path)
    : (await import("./postgres.ts")).openPostgresSource(url);

export const openTarget = async ({ driver, path, url = "" }: DatabaseSettings): Promise<CopyTarget> =>
  driver === "sqlite"
    ? (await import("./sqlite.ts")).openSqliteTarget(path)
    : (await import("./postgres.ts")).openPostgresTarget(url);

import { resolve } from "node:path";
import { readSecretFile, type Config } from "../../../config/index.ts";
import { readPostgresUrl } from "../../../core/address/postgres.url.ts";
import type { CopyPlace } from "../../../drivers/database/copy/index.ts";
import { UsageError, type Terminal } from "../../command.ts";

const variableName = /^[A-Z][A-Z0-9_]*$/;
const inArguments =
  "everybody on this host can read the arguments of a command: name the variable or the file that holds the URL";

interface PlaceOptions {
  readonly database: Config["database"];
  readonly env: Terminal["env"];
}

/**
 * Reads a database from a flag: `sqlite:PATH`, or `postgres:` with the variable or file that holds the URL. The URL itself has a password,
 * and every user of the host can see arguments.
 */
export function readCopyPlace(flag: string, text: string, { database, env }: PlaceOptions): CopyPlace {
  if (text.includes("://")) throw new UsageError(`--${flag}: ${inArguments}`);
  const [driver, where] = /^(sqlite(?=:)|postgres)(?::(.+))?$/.exec(text)?.slice(1) ?? [];
  if (driver === "sqlite" && where !== undefined) return { ...database, driver, path: resolve(where) };
  if (driver !== "postgres")
    throw new UsageError(`--${flag} takes sqlite:PATH, postgres, postgres:NAME or postgres:/PATH`);
  const url = where === undefined || where === "DB_URL" ? database.url : readUrl(flag, where, env);
  if (url === undefined) throw new UsageError(`--${flag}: DB_URL is not set, which needs DB_DRIVER=postgres beside it`);
  const address = readPostgresUrl(url);
  if (typeof address === "string") throw new UsageError(`--${flag}: the URL ${address}`);
  return { ...database, driver, url };
}

function readUrl(flag: string, where: string, env: Terminal["env"]): string {
  if (variableName.test(where)) {
    const url = env[where];
    if (url === undefined || url === "") throw new UsageError(`--${flag}: the variable ${where} is not set`);
    return url;
  }
  const file = readSecretFile(resolve(where), { lines: false });
  if ("wrong" in file) throw new UsageError(`--${flag}: the file ${file.wrong}`);
  return file.value;
}

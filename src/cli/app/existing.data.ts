import type { AppIdentity } from "../../config/index.ts";
import { requireDatabase } from "../../drivers/database/open.ts";
import type { Terminal } from "../command.ts";
import { readSettings, type Settings } from "./environment.ts";

/**
 * Reads the settings of a command that needs an existing database. If there is none, nothing is made, not even the secrets of a local
 * start: the command was probably run in another folder.
 */
export async function settingsOfExisting(app: AppIdentity, terminal: Terminal): Promise<Settings> {
  const silent = { env: terminal.env, readSecret: terminal.readSecret, out() {}, err() {} };
  const { config } = readSettings(app, silent, { onlyLooks: true });
  await requireDatabase(config.database);
  return readSettings(app, terminal);
}

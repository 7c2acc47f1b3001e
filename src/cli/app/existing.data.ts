import type { AppIdentity } from "../../config/index.ts";
import { requireDatabase } from "../../drivers/database/open.ts";
import type { Terminal } from "../command.ts";
import { readSettings, type Settings } from "./environment.ts";

/**
 * The settings of a command on a database that has to be there. Where it is not, nothing is made, not even the secrets of a local
 * start: such a command was probably given in another folder.
 */
export async function settingsOfExisting(app: AppIdentity, terminal: Terminal): Promise<Settings> {
  const silent = { env: terminal.env, readSecret: terminal.readSecret, out() {}, err() {} };
  const { config } = readSettings(app, silent, { onlyLooks: true });
  await requireDatabase(config.database);
  return readSettings(app, terminal);
}

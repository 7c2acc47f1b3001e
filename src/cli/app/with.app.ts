import type { App } from "../../app/index.ts";
import type { AppIdentity } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import { openDatabase, requireDatabase } from "../../drivers/database/open.ts";
import { exitCode, type CommandContext, type ExitCode, type Terminal } from "../command.ts";
import { readSettings, type Settings } from "./environment.ts";
import { operatorOf } from "./operator.ts";

const unknownAccount = "no such account\n  user:list --search finds accounts by the beginning of a name or an address";

/**
 * Runs a command on the services of the app. Prints the text that the command returns, or the refusal with the fields concerned. A command
 * that has printed everything itself returns the exit code.
 */
export async function withApp(
  context: CommandContext,
  act: (app: App) => Promise<string | ExitCode>,
): Promise<ExitCode> {
  const { definition, build, terminal } = context;
  // No command that reads or changes accounts creates the database: if it is absent, the path is wrong.
  const { config, log } = await settingsOfExisting(definition, terminal);
  const { createApp } = await import("../../app/index.ts");
  const database = openDatabase(config.database, { create: false, log });
  const app = await createApp({ definition, config, build, log, database });
  try {
    if (!(await app.ready())) {
      terminal.err("the database is not migrated: run the migrate command");
      return exitCode.failed;
    }
    const result = await app.command(context.name, () => act(app));
    if (typeof result !== "string") return result;
    if (result !== "") terminal.out(result);
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    terminal.err(error.reason === "not_found" ? unknownAccount : error.message);
    if (error.detail !== undefined) terminal.err(`  ${error.detail}`);
    if (error.retryAfterSeconds !== undefined)
      terminal.err(`  try again in ${Math.ceil(error.retryAfterSeconds / 60)} min`);
    for (const [field, { complaint }] of Object.entries(error.fields ?? {})) terminal.err(`  ${field}: ${complaint}`);
    return exitCode.failed;
  } finally {
    await app.close();
  }
}

/**
 * Reads the settings of a command that needs an existing database. If there is none, nothing is made, not even the secrets of a local
 * start: the command was probably run in another folder.
 */
export async function settingsOfExisting(app: AppIdentity, terminal: Terminal): Promise<Settings> {
  const silent = { env: terminal.env, readSecret: terminal.readSecret, out() {}, err() {} };
  const { config } = readSettings(app, silent, { onlyLooks: true });
  await requireDatabase(config.database);
  return namingCaller(readSettings(app, terminal), terminal);
}

/** Adds to the settings who runs the command, for the rows that it writes to the audit log. */
export function namingCaller(settings: Settings, { env }: Pick<Terminal, "env">): Settings {
  const { config } = settings;
  return { ...settings, config: { ...config, app: { ...config.app, operator: operatorOf(env) } } };
}

import type { AppIdentity } from "../config/index.ts";
import type { Terminal } from "./command.ts";
import { ConfigurationError, readSettings, type Settings, type SettingsOptions } from "./environment.ts";

/**
 * The settings for a start, and for whoever asks whether there can be one: what is refused here is all that a start refuses of
 * its environment. Throws ConfigurationError.
 */
export async function readStart(app: AppIdentity, terminal: Terminal, options?: SettingsOptions): Promise<Settings> {
  const settings = readSettings(app, terminal, options);
  if (settings.config.auth.bootstrap === undefined) return settings;
  // Loaded only where there is an account to make, since it brings the rules of accounts with it.
  const { bootstrapProblems } = await import("../app/bootstrap.rules.ts");
  const problems = await bootstrapProblems(settings.config);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return settings;
}

import { dirname } from "node:path";
import {
  loadConfig,
  resolveEnvironment,
  secretValues,
  writtenValue,
  type AppIdentity,
  type SplitRole,
} from "../../config/index.ts";
import { systemClock } from "../../core/clock.ts";
import { createLog } from "../../observe/log.ts";
import type { Terminal } from "../command.ts";
import { ConfigurationError } from "./configuration.error.ts";

/** `variables` are those whose values were used: the name of each, the one under which it was set, and its source. */
export type Settings = ReturnType<typeof readSettings>;

export interface SettingsOptions {
  /** A role logs to standard output. Any other command logs to standard error, apart from its own output. */
  readonly logTo?: "out" | "err";
  /** Serves commands that change nothing: secrets that local lacks are made for this process alone, and no file is written. */
  readonly onlyLooks?: boolean;
  /** The only role of this process. */
  readonly role?: SplitRole | undefined;
}

/** Reads the configuration as a start does, and makes a log that keeps its secrets out. Throws ConfigurationError. */
export function readSettings(
  app: AppIdentity,
  terminal: Terminal,
  { logTo = "err", onlyLooks = false, role }: SettingsOptions = {},
) {
  const { env, created, files, origins } = resolveEnvironment(terminal.env, process.cwd(), {
    app: app.name,
    missing: onlyLooks ? "make" : "keep",
  });
  const loaded = loadConfig({ app, env, files, role, releaseFolder: dirname(process.execPath) });
  if (!loaded.ok) throw new ConfigurationError(loaded.problems);
  const { config, warnings } = loaded;
  const log = createLog({
    format: config.app.logFormat,
    level: config.app.debug > 0 ? "debug" : "info",
    clock: systemClock,
    secrets: secretValues(config),
    write: (line) => (terminal.log === undefined ? terminal[logTo](line) : terminal.log(line, logTo)),
  });
  if (created !== undefined) log.info("local secrets generated", { file: created });
  for (const warning of warnings) log.warn(warning);
  const variables = loaded.accepted.map((name) => {
    const own = `${app.name.toUpperCase()}_${name}`;
    const as = (env[own] ?? "") === "" ? name : own;
    const from = origins.get(as) ?? "environment";
    return { name, as: from === "file" ? `${as}_FILE` : as, from };
  });
  return { config, log, warnings, variables };
}

export type ProbeTarget = ReturnType<typeof readProbeTarget>;

/** Reads where the app of this environment listens, and its diagnostic token, whatever else is wrong with the environment. */
export function readProbeTarget(app: AppIdentity, terminal: Terminal) {
  const secrets = ["APP_DIAG_TOKEN"];
  const { env, files } = resolveEnvironment(terminal.env, process.cwd(), { app: app.name, missing: "leave", secrets });
  // An unreadable token is only a warning: many questions need none.
  for (const problem of files.problems) terminal.err(`warning: ${problem}`);
  const port = writtenValue(env, app, "API_HTTP_PORT");
  if (!/^\d{1,5}$/.test(port)) throw new ConfigurationError(["API_HTTP_PORT must be a port number"]);
  const [host, diagToken] = [writtenValue(env, app, "API_HTTP_HOST"), writtenValue(env, app, "APP_DIAG_TOKEN")];
  return { host, port, diagToken };
}

import type { AppDefinition } from "../app/definition.ts";
import type { BuildInfo } from "../core/build.ts";
import { second } from "../core/clock.ts";
import { exitCode, runLine, UsageError, type CommandContext, type ExitCode, type Terminal } from "./command.ts";
import { ConfigurationError } from "./app/configuration.error.ts";
import { Interrupted } from "./terminal/interruptible.ts";
import { commands, defaultCommand, groups } from "./table.ts";
import { callersFolders } from "./terminal/callers.folders.ts";
import { processTerminal } from "./terminal/terminal.ts";
import { categoryHelp, unknownCommand } from "./usage/help.ts";

interface CliOptions {
  readonly definition: AppDefinition;
  readonly build: BuildInfo;
  readonly args: readonly string[];
  readonly terminal?: Terminal;
}

/** How long a start takes at most: a command that is still running does more than start. */
const startMs = second;

const binaryOf = { app: "gatehouse", admin: "gatehouse-admin" } as const;

export async function runCli({ definition, build, args, ...options }: CliOptions): Promise<ExitCode> {
  const { terminal: own = processTerminal() } = options;
  const terminal = await asCallerNames(own);
  const binary = binaryOf[definition.name];
  // A binary begins with a reluctant JIT (build.ts), because most code of a start runs once.
  setTimeout(() => Bun.unsafe.setJITPolicy(1), startMs).unref();
  const line = lineOf(args);
  const [name = defaultCommand, ...rest] = line;
  const context: CommandContext = { definition, build, terminal, binary, name, line, groups };
  const called = commands.has(name) ? `${binary} ${name}` : binary;
  try {
    const code =
      commands.has(name) && !asksForHelp(rest)
        ? await runLine(line, context, { commands, defaultCommand })
        : await showHelp(context, rest);
    const failure = terminal.failure?.();
    if (failure === undefined) return code;
    terminal.err(`${called}: standard output could not be written whole (${failure})`);
    return exitCode.failed;
  } catch (error) {
    return report(error, called, terminal);
  }
}

/** Returns a terminal that calls files as the caller does, where the caller has opened them for this process. */
async function asCallerNames(own: Terminal): Promise<Terminal> {
  const folders = own.env[callersFolders];
  if (folders === undefined) return own;
  const { withCallersNames } = await import("./terminal/callers.names.ts");
  return withCallersNames(own, folders);
}

/**
 * Returns the line with a command in front, unless it is empty. Flags alone belong to the program itself or, otherwise, to the default
 * command.
 */
function lineOf(args: readonly string[]): readonly string[] {
  const [first] = args;
  if (first === undefined || !first.startsWith("-")) return args;
  if (beforeOperands(args).some((flag) => flag === "--version" || flag === "-v")) return ["version"];
  return asksForHelp(args) ? ["help"] : [defaultCommand, ...args];
}

/** Shows the options of a command, or the commands of a category. Throws a UsageError if the name is neither. */
async function showHelp({ binary, name, terminal }: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const entry = commands.get(name);
  if (entry !== undefined) {
    terminal.out(await (await entry.load()).usage(`${binary} ${name}`, entry.summary));
    return exitCode.done;
  }
  const listed = args.length === 0 || asksForHelp(args) ? categoryHelp(name, { binary, groups }) : undefined;
  if (listed === undefined) throw unknownCommand(name, args[0], groups);
  terminal.out(listed);
  return exitCode.done;
}

function report(error: unknown, called: string, terminal: Terminal): ExitCode {
  if (error instanceof Interrupted) return exitCode.interrupted;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigurationError) {
    terminal.err(message);
    return exitCode.wrongUsage;
  }
  terminal.err(`${called}: ${message}`);
  if (!(error instanceof UsageError)) return exitCode.failed;
  if (error.hint !== undefined) terminal.err(error.hint);
  terminal.err(`see ${called} --help`);
  return exitCode.wrongUsage;
}

function beforeOperands(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end === -1 ? args : args.slice(0, end);
}

const asksForHelp = (args: readonly string[]): boolean =>
  beforeOperands(args).some((arg) => arg === "--help" || arg === "-h");

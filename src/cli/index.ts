import type { AppDefinition } from "../app/definition.ts";
import type { BuildInfo } from "../core/build.ts";
import { second } from "../core/clock.ts";
import { exitCode, UsageError, type CommandContext, type ExitCode, type Terminal } from "./command.ts";
import { ConfigurationError } from "./app/configuration.error.ts";
import { Interrupted } from "./terminal/interruptible.ts";
import { commands, defaultCommand, groups } from "./table.ts";
import { processTerminal } from "./terminal/terminal.ts";
import { categoryHelp, unknownCommand } from "./usage/help.ts";

interface CliOptions {
  readonly definition: AppDefinition;
  readonly build: BuildInfo;
  readonly args: readonly string[];
  readonly terminal?: Terminal;
}

/** A command that takes longer than this is more than its start. */
const startMs = second;

const binaryOf = { app: "gatehouse", admin: "gatehouse-admin" } as const;

/** Runs one command line, and resolves to the exit code of the process. */
export async function runCli({ definition, build, args, terminal = processTerminal() }: CliOptions): Promise<ExitCode> {
  const binary = binaryOf[definition.name];
  // A binary begins with a reluctant JIT (build.ts), because most of what a start runs is run once.
  setTimeout(() => Bun.unsafe.setJITPolicy(1), startMs).unref();
  const { name, rest } = commandIn(args);
  const context: CommandContext = { definition, build, terminal, binary, name, groups };
  const called = commands.has(name) ? `${binary} ${name}` : binary;
  try {
    const code = await runNamed(context, rest);
    const failure = terminal.failure?.();
    if (failure === undefined) return code;
    terminal.err(`${called}: standard output could not be written whole (${failure})`);
    return exitCode.failed;
  } catch (error) {
    return report(error, called, terminal);
  }
}

/** Which command the line names. Without one, flags are those of the program itself, else of the default command. */
function commandIn(args: readonly string[]): { readonly name: string; readonly rest: readonly string[] } {
  const [first, ...rest] = args;
  if (first !== undefined && !first.startsWith("-")) return { name: first, rest };
  const flags = beforeOperands(args);
  if (flags.some((flag) => flag === "--version" || flag === "-v")) return { name: "version", rest: [] };
  if (asksForHelp(args)) return { name: "help", rest: [] };
  return { name: defaultCommand, rest: args };
}

async function runNamed(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const { binary, name, terminal } = context;
  const entry = commands.get(name);
  if (entry === undefined) {
    const listed = args.length === 0 || asksForHelp(args) ? categoryHelp(name, { binary, groups }) : undefined;
    if (listed === undefined) throw unknownCommand(name, args[0], groups);
    terminal.out(listed);
    return exitCode.done;
  }
  const command = await entry.load();
  if (!asksForHelp(args)) return command.run(context, args);
  terminal.out(await command.usage(`${binary} ${name}`, entry.summary));
  return exitCode.done;
}

/** Says what went wrong, and resolves to the exit code that stands for it. */
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

import type { AppDefinition } from "../app/definition.ts";
import type { BuildInfo } from "../core/build.ts";
import { binaryOf } from "./binary.name.ts";
import { exitCode, UsageError, type CommandContext, type ExitCode, type Terminal } from "./command.ts";
import { ConfigurationError } from "./environment.ts";
import { commands, defaultCommand, type CommandEntry } from "./table.ts";
import { processTerminal } from "./terminal.ts";

interface CliOptions {
  readonly definition: AppDefinition;
  readonly build: BuildInfo;
  readonly args: readonly string[];
  readonly terminal?: Terminal;
}

/** Runs one command line, and resolves to the exit code of the process. */
export async function runCli({ definition, build, args, terminal = processTerminal() }: CliOptions): Promise<ExitCode> {
  const binary = binaryOf[definition.name];
  const flagsFirst = args[0] === undefined || args[0].startsWith("-");
  if (flagsFirst && args.includes("--version")) {
    terminal.out(`${binary} ${build.version} (${build.revision})`);
    return exitCode.done;
  }
  if (flagsFirst && asksForHelp(args)) {
    terminal.out(overview(binary, build));
    return exitCode.done;
  }
  const [name = defaultCommand, ...rest] = flagsFirst ? [defaultCommand, ...args] : args;
  const entry = commands.get(name);
  if (entry === undefined) {
    terminal.err(`${overview(binary, build)}\n\nunknown command ${JSON.stringify(name)}`);
    return exitCode.wrongUsage;
  }
  return runEntry(entry, binary, rest, { definition, build, terminal, name });
}

async function runEntry(
  entry: CommandEntry,
  binary: string,
  args: string[],
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const name = `${binary} ${context.name}`;
  const command = await entry.load();
  if (asksForHelp(args)) {
    terminal.out(await command.usage(name, entry.summary));
    return exitCode.done;
  }
  try {
    return await command.run(context, args);
  } catch (error) {
    if (error instanceof UsageError || (error instanceof Error && error.name === "CLIError")) {
      terminal.err(`${await command.usage(name, entry.summary)}\n\n${Bun.stripANSI(error.message)}`);
      return exitCode.wrongUsage;
    }
    if (error instanceof ConfigurationError) {
      terminal.err(error.message);
      return exitCode.wrongUsage;
    }
    terminal.err(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    return exitCode.failed;
  }
}

const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === "--help" || arg === "-h");
};

function overview(binary: string, build: BuildInfo): string {
  const width = Math.max(...[...commands.keys()].map((name) => name.length));
  const lines = [...commands].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `Gatehouse ${build.version}: an auth service in one binary`,
    "",
    `Usage: ${binary} [COMMAND] [OPTIONS]`,
    "",
    ...lines,
    "",
    `  --help     Show this list, or the options of a command`,
    `  --version  Show the version`,
  ].join("\n");
}

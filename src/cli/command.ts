import { defineCommand, renderUsage, runCommand, type ArgsDef, type ParsedArgs, type SubCommandsDef } from "citty";
import type { AppDefinition } from "../app/definition.ts";
import type { BuildInfo } from "../core/build.ts";
import { isName } from "../core/naming.ts";
import { defaultWidth, wrapped } from "./terminal/columns.ts";
import { checkArguments, everyValueOf, UsageError, type KnownValues } from "./usage/arguments.ts";

export { UsageError } from "./usage/arguments.ts";

/** Exit codes of every command. 2 also stands for an invalid configuration, and 130 for Ctrl-C. */
export const exitCode = { done: 0, failed: 1, wrongUsage: 2, interrupted: 130 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** Writes a line of the log. A service goes on if that fails. Default: `out` or `err`. */
  log?(line: string, to: "out" | "err"): void;
  /** Why some output was not written, such as a full disk. */
  failure?(): string | undefined;
  /** Reads standard input or, on a terminal, the text typed after the prompt, without echo. */
  readSecret(asked: SecretPrompt): Promise<string>;
  /** Shows the question and reads a line. Undefined if nobody is there to answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Replaces the last drawn text, on standard error. Undefined if nobody watches. */
  readonly draw?: ((text: string) => void) | undefined;
  /** The width of standard output. Undefined if that is no terminal. */
  readonly columns?: number | undefined;
}

export interface SecretPrompt {
  readonly prompt: string;
  /** Prompts a second time for the same secret. Piped input is read once. */
  readonly again?: string;
  /** The most characters to accept. */
  readonly limit: number;
}

export interface CommandContext {
  readonly definition: AppDefinition;
  readonly build: BuildInfo;
  readonly terminal: Terminal;
  /** The program's name as called: `gatehouse`. */
  readonly binary: string;
  /** The name under which the command was called. */
  readonly name: string;
  /** The command with its arguments. */
  readonly line: readonly string[];
  /** Every command by group, for commands that describe others. */
  readonly groups: readonly CommandGroup[];
}

export interface CommandEntry {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Imports the command on use, so that `health` doesn't load the whole app. */
  load(): Promise<Command>;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: Readonly<Record<string, CommandEntry>>;
}

export interface Command {
  /** Arguments, for completion. */
  readonly args: ArgsDef;
  readonly values: Readonly<Record<string, KnownValues>>;
  /** Arguments that name files of the caller. */
  readonly files: Readonly<Record<string, FileUse>>;
  usage(name: string, summary: string): Promise<string>;
  /** Returns the subcommand that citty runs for these arguments. Throws a UsageError if they are wrong. */
  subCommand(call: Call): SubCommand;
}

/** What a command does with a file of its caller. */
export interface FileUse {
  readonly way: "reads" | "writes";
  /** Endings of files that belong to it. */
  readonly beside?: readonly string[];
}

type SubCommand = Awaited<Extract<SubCommandsDef[string], Promise<unknown>>>;

interface Call {
  readonly context: CommandContext;
  /** The arguments after the name of the command. */
  readonly rawArgs: readonly string[];
  /** Takes the exit code, because citty drops the return value of a subcommand. */
  end(code: ExitCode): void;
}

interface CommandOptions<Args extends ArgsDef> {
  readonly args: Args;
  /** Whether the last positional may be given any number of times; `args._` has them all. */
  readonly variadic?: boolean;
  /** Values of flags that are no enum, such as a list with commas, or more values than a usage has room for. */
  readonly values?: Readonly<Record<string, KnownValues>>;
  /** Arguments that name files: those of a command that runs in a sandbox are opened by its caller. */
  readonly files?: Readonly<Partial<Record<keyof Args & string, FileUse>>>;
  /** Flags that may be given several times. */
  readonly repeated?: readonly (keyof Args & string)[];
  /** `every` returns all values of a flag that may be repeated. */
  run(
    context: CommandContext,
    args: ParsedArgs<Args>,
    every: (flag: keyof Args & string) => readonly string[],
  ): Promise<ExitCode>;
}

export function command<const Args extends ArgsDef>(options: CommandOptions<Args>): Command {
  const { args, variadic = false, values = {}, files = {}, repeated = [], run } = options;
  return {
    args,
    values,
    files,

    usage: async (name, description) => folded(await renderUsage(defineCommand({ meta: { name, description }, args }))),

    subCommand({ context, rawArgs, end }) {
      // Checked here because citty would accept unknown flags and surplus arguments, and refuse a missing one before `run` could say
      // anything better.
      checkArguments(rawArgs, { args, variadic, values, repeated });
      const every = (flag: string): readonly string[] => everyValueOf(rawArgs, flag);
      return defineCommand<Args>({
        args,
        async run(parsed) {
          const named: Readonly<Record<string, unknown>> = parsed.args;
          // Help has no files to look for, and does not load what looks for them.
          const { requireSeen } = await import("./usage/hidden.files.ts");
          requireSeen(Object.keys(files).map((name) => (typeof named[name] === "string" ? named[name] : undefined)));
          end(await run(context, parsed.args, every));
        },
      });
    },
  };
}

interface Program {
  readonly commands: ReadonlyMap<string, CommandEntry>;
  /** The command of an empty line. */
  readonly defaultCommand: string;
}

/**
 * Runs a line by a root command of citty, whose subcommands are those of the table, each loaded when called. The line must be empty or
 * begin with the name of a command: citty drops flags before a name, and loads every command in search of an unknown one.
 */
export async function runLine(
  line: readonly string[],
  context: CommandContext,
  { commands, defaultCommand }: Program,
): Promise<ExitCode> {
  let code: ExitCode = exitCode.failed;
  const call: Call = {
    context,
    rawArgs: line.slice(1),
    end: (reached) => {
      code = reached;
    },
  };
  const loaders = Array.from(
    commands,
    ([name, { load }]) => [name, async () => (await load()).subCommand(call)] as const,
  );
  // The root has no `run`, since citty would run it after the subcommand as well.
  const root = defineCommand({
    meta: { name: context.binary, version: context.build.version },
    default: defaultCommand,
    subCommands: Object.fromEntries(loaders),
  });
  await runCommand(root, { rawArgs: [...line] });
  return code;
}

/** Folds the usage to the width of a terminal. The continuation of an option's description is indented to where it begins. */
const folded = (usage: string): string =>
  Bun.stripANSI(usage)
    .split("\n")
    .map((line) => {
      const [, head = "", text = line] = /^(\s*\S.*? {4})(\S.*)$/.exec(line.trimEnd()) ?? [];
      return wrapped(text.trimEnd(), defaultWidth - head.length)
        .map((part, index) => (index === 0 ? head : " ".repeat(head.length)) + part)
        .join("\n");
    })
    .join("\n");

/** Reads a flag that takes a number from 1 to `most`. */
export function readCount(flag: string, text: string, most: number): number {
  const count = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= most)) throw new UsageError(`--${flag} takes a whole number from 1 to ${most}`);
  return count;
}

/** Reads a flag that takes several roles with commas between them. Without the flag there are none. */
export function readRoles(flag: string, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !isName("role", name));
  if (wrong !== undefined)
    throw new UsageError(
      `--${flag}: ${JSON.stringify(wrong)} is not the name of a role, which has up to 32 of a to z, 0 to 9 and -, a letter first`,
    );
  return [...new Set(names)];
}

import { defineCommand, renderUsage, runCommand, type ArgsDef, type ParsedArgs } from "citty";
import { parseArgs } from "node:util";
import type { AppDefinition } from "../app/definition.ts";
import type { BuildInfo } from "../core/build.ts";
import { isName } from "../core/naming.ts";
import { defaultWidth, wrapped } from "./columns.ts";

/** The exit codes of every command. 2 also stands for a configuration that is not valid. */
export const exitCode = { done: 0, failed: 1, wrongUsage: 2 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** Reads standard input or, on a terminal, what is typed after the prompt, without echo. At most `limit` characters. */
  readSecret(prompt: string, limit: number): Promise<string>;
  /** Shows the question and reads a line. Undefined where nobody is there to answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Puts a text in place of the last one that was drawn, on standard error. Undefined where nobody watches. */
  readonly draw?: ((text: string) => void) | undefined;
  /** How wide standard output is. Undefined where that is no terminal. */
  readonly columns?: number | undefined;
}

export interface CommandContext {
  readonly definition: AppDefinition;
  readonly build: BuildInfo;
  readonly terminal: Terminal;
  /** The name by which the command was called. */
  readonly name: string;
}

export interface Command {
  usage(name: string, summary: string): Promise<string>;
  run(context: CommandContext, rawArgs: readonly string[]): Promise<ExitCode>;
}

/** The command line is wrong: answered with the usage and exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

interface CommandOptions<Args extends ArgsDef> {
  readonly args: Args;
  /** The last positional may be given any number of times; `args._` has them all. */
  readonly variadic?: boolean;
  run(context: CommandContext, args: ParsedArgs<Args>): Promise<ExitCode>;
}

export function command<const Args extends ArgsDef>({ args, variadic = false, run }: CommandOptions<Args>): Command {
  return {
    usage: async (name, description) => folded(await renderUsage(defineCommand({ meta: { name, description }, args }))),

    async run(context, rawArgs) {
      checkArgs(rawArgs, args, variadic);
      let code: ExitCode = exitCode.failed;
      const definition = defineCommand<Args>({
        args,
        async run(parsed) {
          code = await run(context, parsed.args);
        },
      });
      await runCommand(definition, { rawArgs: [...rawArgs] });
      return code;
    },
  };
}

/** The usage in lines that a terminal has room for: what is said of an option goes on below its own beginning. */
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

/** Refuses unknown and repeated flags, missing values and surplus arguments, which citty accepts in silence. */
function checkArgs(rawArgs: readonly string[], args: ArgsDef, variadic: boolean): void {
  const flags = Object.entries(args).filter(([, { type }]) => type !== "positional");
  const options = Object.fromEntries(
    flags.map(([name, { type }]) => [name, { type: type === "boolean" ? ("boolean" as const) : ("string" as const) }]),
  );
  const { positionals, tokens } = strictly(() =>
    parseArgs({ args: [...rawArgs], options, allowPositionals: true, strict: true, tokens: true }),
  );
  const named = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
  const repeated = named.find((name, index) => named.indexOf(name) < index);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice`);
  const places = Object.entries(args).filter(([, { type }]) => type === "positional");
  const missing = places[positionals.length];
  if (missing !== undefined && missing[1].required !== false)
    throw new UsageError(`${missing[0].toUpperCase()} is missing`);
  const surplus = variadic ? undefined : positionals[places.length];
  if (surplus !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(surplus)}`);
  for (const [name, { required }] of flags) {
    if (required === true && !rawArgs.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))) {
      throw new UsageError(`--${name} is missing`);
    }
  }
}

/** The number in a flag that takes 1 to `most`. */
export function readCount(flag: string, text: string, most: number): number {
  const count = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= most)) throw new UsageError(`--${flag} takes a whole number from 1 to ${most}`);
  return count;
}

/** The roles in a flag that takes several with commas between them. None without the flag. */
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

function strictly<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    // Only the first sentence: the rest tells how to pass the flag on as a positional argument.
    throw new UsageError((error instanceof Error ? error.message : String(error)).split(". ")[0] ?? "wrong usage");
  }
}

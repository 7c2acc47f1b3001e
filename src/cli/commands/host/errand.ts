import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { resolve } from "node:path";
import { companions } from "../../../drivers/database/sqlite/files.ts";
import { readHostSettings, runErrand, settingsPath, type CallersFile } from "../../../host/index.ts";
import { operatorOf } from "../../app/operator.ts";
import { command, exitCode, type Command, type ExitCode } from "../../command.ts";
import { callersFolders } from "../../terminal/callers.folders.ts";
import { commandsIn } from "../../usage/help.ts";
import { hostApp, hostSystem, onHost } from "./app.ts";

/** Runs another command as the services run, and opens the files that it names as its own caller: what the command of a host calls. */
export const errand = command({
  args: {
    line: { type: "positional", required: true, description: "The command with its arguments, after --" },
  },
  variadic: true,
  async run(context, args) {
    const [name = "", ...rest] = args._;
    const entry = commandsIn(context.groups).get(name);
    const named = entry === undefined ? [] : filesIn(rest, await entry.load());
    const app = hostApp(context);
    // It is called by other commands of the host: what is said of it names those.
    const called = { ...context, name, line: args._ };
    return onHost(called, async () => {
      const code = await runErrand(hostSystem(called), {
        app,
        binary: process.execPath,
        files: named.map(({ file }) => file),
        replace: rest.includes("--force"),
        kept: named.some(({ file }) => file.way === "writes") ? await databaseFiles(context.definition.name) : [],
        operator: operatorOf(context.terminal.env),
        foldersVariable: callersFolders,
        tell: (said) => context.terminal.out(said.replace(/\n$/, "")),
        line: (paths) => [name, ...withPaths(rest, named, paths)],
      });
      return ended(code);
    });
  },
});

const codes: readonly number[] = Object.values(exitCode);
const isCode = (code: number): code is ExitCode => codes.includes(code);
/** The exit code of a command; one that no command has is that of a process that was ended. */
const ended = (code: number): ExitCode => (isCode(code) ? code : exitCode.failed);

/** Returns the files that a database is made of, which no output may replace. Empty for one that is not in files. */
async function databaseFiles(app: string): Promise<readonly string[]> {
  const settings = readHostSettings(await readFile(settingsPath, "utf8").catch(() => ""));
  const path = (app === "admin" ? settings["ADMIN_DB_DATABASE"] : undefined) ?? settings["DB_DATABASE"];
  return path === undefined ? [] : ["", ...companions].map((ending) => `${path}${ending}`);
}

interface NamedFile {
  readonly file: CallersFile;
  /** Where the path stands among the arguments. */
  readonly index: number;
  /** What stands before the path in the same argument: `--output=`. */
  readonly before: string;
}

/** Finds the files that a line names. The command itself refuses a line that is wrong. */
export function filesIn(
  line: readonly string[],
  { args, files }: Pick<Command, "args" | "files">,
): readonly NamedFile[] {
  const options = Object.fromEntries(
    Object.entries(args)
      .filter(([, { type }]) => type !== "positional")
      .map(([name, { type }]) => [name, { type: type === "boolean" ? ("boolean" as const) : ("string" as const) }]),
  );
  const places = Object.entries(args).flatMap(([name, { type }]) => (type === "positional" ? [name] : []));
  const { tokens } = parseArgs({ args: [...line], options, allowPositionals: true, strict: false, tokens: true });
  let operands = 0;
  return tokens.flatMap((token): readonly NamedFile[] => {
    if (token.kind === "option-terminator") return [];
    const name = token.kind === "option" ? token.name : places[operands++];
    const use = name === undefined ? undefined : files[name];
    // - is standard input, which the command has from its caller anyway.
    if (use === undefined || token.value === undefined || token.value === "-" || token.value === "") return [];
    const isInline = token.kind === "option" && token.inlineValue;
    const file = { path: resolve(token.value), way: use.way, beside: use.beside ?? [] };
    return [
      {
        file,
        index: token.index + (token.kind === "option" && !isInline ? 1 : 0),
        before: isInline ? `--${name}=` : "",
      },
    ];
  });
}

const withPaths = (line: readonly string[], named: readonly NamedFile[], paths: readonly string[]): readonly string[] =>
  line.map((argument, index) => {
    const found = named.findIndex((each) => each.index === index);
    const { before = "" } = named[found] ?? {};
    return found === -1 ? argument : `${before}${paths[found]}`;
  });

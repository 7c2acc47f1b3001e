import type { BuildInfo } from "../../core/build.ts";
import { command, exitCode, UsageError, type CommandEntry, type CommandGroup } from "../command.ts";
import { jsonLines, jsonOf } from "../terminal/json.ts";
import { didYouMean, meantBy, mostSuggested } from "../../core/text/suggestion.ts";

type Groups = readonly CommandGroup[];

/** Returns every command by name, in the order of the groups. */
export const commandsIn = (groups: Groups): ReadonlyMap<string, CommandEntry> =>
  new Map(groups.flatMap(({ commands }) => Object.entries(commands)));

/** Returns the commands whose names begin with a word and a colon: `user` has `user:list` and more. */
const commandsOf = (category: string, groups: Groups): readonly (readonly [string, CommandEntry])[] =>
  [...commandsIn(groups)].filter(([name]) => name.startsWith(`${category}:`));

const indent = "  ";

/** Lists commands, each with its summary, in columns of the same width for every group. */
function listed(commands: Iterable<readonly [string, CommandEntry]>, groups: Groups): readonly string[] {
  const width = Math.max(...[...commandsIn(groups).keys()].map((name) => name.length));
  return Array.from(commands, ([name, { summary }]) => `${indent}${name.padEnd(width)}${indent}${summary}`);
}

interface Named {
  readonly binary: string;
  readonly groups: Groups;
}

const overview = ({ binary, groups, build }: Named & { readonly build: BuildInfo }): string =>
  [
    `Gatehouse ${build.version}: an auth service in one binary`,
    "",
    `Usage: ${binary} [COMMAND] [OPTIONS]`,
    ...groups.flatMap(({ title, commands }) => ["", title, ...listed(Object.entries(commands), groups)]),
    "",
    `${binary} COMMAND --help shows the options of a command.`,
  ].join("\n");

/** Returns the help of a category without a command. Undefined if no command begins so. */
export function categoryHelp(category: string, { binary, groups }: Named): string | undefined {
  const found = commandsOf(category, groups);
  if (found.length === 0) return undefined;
  return [
    `Usage: ${binary} ${category}:COMMAND [OPTIONS]`,
    "",
    ...listed(found, groups),
    "",
    `${binary} ${category}:COMMAND --help shows the options of a command.`,
  ].join("\n");
}

/** Refuses an unknown name. Some people write a space in place of the colon. */
export function unknownCommand(name: string, next: string | undefined, groups: Groups): UsageError {
  const names = [...commandsIn(groups).keys()];
  const categories = new Set(names.flatMap((each) => (each.includes(":") ? [each.split(":")[0] ?? ""] : [])));
  const spaced = `${name}:${next ?? ""}`;
  // Some people leave out what a command begins with: `rollback` for `release:rollback`.
  const ended = names.filter((each) => each.endsWith(`:${name}`)).slice(0, mostSuggested);
  const near = meantBy(name, new Set([...names, ...categories]));
  const meant = names.includes(spaced) ? [spaced] : ended.length > 0 ? ended : near;
  const inCategory = meant.length > 0 || next === undefined ? meant : meantBy(spaced, names);
  return new UsageError(`unknown command ${JSON.stringify(name)}`, didYouMean(inCategory));
}

export const help = command({
  args: {
    command: { type: "positional", required: false, description: "A command, or what several begin with: user" },
    json: jsonLines,
  },
  async run({ binary, build, groups, terminal }, args) {
    const { command: name } = args;
    const entry = name === undefined ? undefined : commandsIn(groups).get(name);
    const isShown = (each: string): boolean => name === undefined || each === name || each.startsWith(`${name}:`);
    const rows = [...commandsIn(groups)].filter(([each]) => isShown(each));
    if (rows.length === 0) throw unknownCommand(name ?? "", undefined, groups);
    if (args.json === true) terminal.out(jsonOf(rows.map(([command, { summary }]) => ({ command, summary }))));
    else if (name === undefined) terminal.out(overview({ binary, build, groups }));
    else if (entry !== undefined) terminal.out(await (await entry.load()).usage(`${binary} ${name}`, entry.summary));
    else terminal.out(categoryHelp(name, { binary, groups }) ?? "");
    return exitCode.done;
  },
});

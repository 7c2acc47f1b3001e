import type { Completed, CompletionModel } from "./model.ts";

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, (mark) => `\\${mark}`)}'`;

/** Returns the options that complete a value: `-r` takes a value, `-x` takes a value but no file. */
function argument(value: Completed | undefined): string {
  if (value === undefined) return "";
  if (value === "files") return " -r -F";
  return value === "nothing" ? " -x" : ` -x -a ${quoted(value.among.join(" "))}`;
}

export function fishCompletion({ binary, commands }: CompletionModel): string {
  const prefix = `__${binary.replaceAll("-", "_")}`;
  const rule = (command: string, rest: string): string =>
    `complete -c ${binary} -n ${quoted(`${prefix}_runs ${command}`)} ${rest}`;
  return `# Completion of ${binary} for fish, printed by: ${binary} completion fish
function ${prefix}_runs
  set -l words (commandline -opc)
  test (count $words) -ge 2; and test $words[2] = $argv[1]
end
function ${prefix}_begins
  test (count (commandline -opc)) -eq 1
end
complete -c ${binary} -f
complete -c ${binary} -n ${prefix}_begins -l version -d 'Show the version'
complete -c ${binary} -l help -d 'Show the options'
${commands
  .flatMap(({ name, summary, flags, operands }) => [
    `complete -c ${binary} -n ${prefix}_begins -a ${quoted(name)} -d ${quoted(summary)}`,
    ...flags.map((flag) => rule(name, `-l ${flag.name}${argument(flag.value)} -d ${quoted(flag.description)}`)),
    ...operands.slice(0, 1).flatMap(({ value }) => {
      if (value === "nothing") return [];
      return [rule(name, value === "files" ? "-F" : `-a ${quoted(value.among.join(" "))}`)];
    }),
  ])
  .join("\n")}`;
}

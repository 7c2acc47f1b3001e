import type { Completed, CompletedCommand, CompletionModel } from "./model.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** Escapes the characters with a special meaning in a specification. */
const escaped = (text: string): string => text.replaceAll(/[\\[\]:]/g, (mark) => `\\${mark}`);

function action(value: Completed): string {
  if (value === "nothing") return " ";
  if (value === "files") return "_files";
  const among = value.among.map(escaped).join(" ");
  return value.several === true ? `_sequence compadd - ${among}` : `(${among})`;
}

function specifications({ flags, operands }: CompletedCommand): readonly string[] {
  return [
    ...flags.map(({ name, description, value }) =>
      value === undefined
        ? `--${name}[${escaped(description)}]`
        : `--${name}=[${escaped(description)}]:${name}:${action(value)}`,
    ),
    "--help[Show the options]",
    ...operands.map(({ name, value }, at) => `${at + 1}:${name}:${action(value)}`),
  ].map(quoted);
}

/** Returns a script that works as a file of the function path and by \`source <(…)\`. */
export function zshCompletion({ binary, commands }: CompletionModel): string {
  const name = `_${binary}`;
  return `#compdef ${binary}
# Completion of ${binary} for zsh, printed by: ${binary} completion zsh
${name}() {
  if ((CURRENT == 2)); then
    if [[ $words[2] == -* ]]; then
      compadd -- --help --version
      return
    fi
    local -a commands=(
${commands.map((command) => `      ${quoted(`${escaped(command.name)}:${command.summary}`)}`).join("\n")}
    )
    _describe -t commands command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${commands.map((command) => `    ${command.name})\n      _arguments -S ${specifications(command).join(" \\\n        ")}\n      ;;`).join("\n")}
  esac
}
if [[ $funcstack[1] == ${name} ]]; then
  ${name} "$@"
else
  compdef ${name} ${binary}
fi`;
}

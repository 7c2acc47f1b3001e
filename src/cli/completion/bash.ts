import type { Completed, CompletionModel } from "./model.ts";

/** Returns a branch of a `case` that completes a word. No value has a character that a shell would interpret. */
function branch(pattern: string, value: Completed): readonly string[] {
  if (value === "nothing") return [`    "${pattern}") ;;`];
  if (value === "files") return [`    "${pattern}") files=yes ;;`];
  return [`    "${pattern}") ${value.several === true ? "list" : "values"}="${value.among.join(" ")}" ;;`];
}

/** Offers what begins with `$typed`: words of `$values`, words of `$list` after the last comma, or files. */
const offer = `  local IFS=$'\\n'
  if [[ -n $list ]]; then
    before="$before\${typed%"\${typed##*,}"}" typed="\${typed##*,}" values="$list"
  fi
  if [[ -n $files ]]; then
    COMPREPLY=($(compgen -f -- "$typed"))
    compopt -o filenames 2>/dev/null
  else
    COMPREPLY=($(IFS=' '; compgen -W "$values" -- "$typed"))
  fi
  local whole="$before$typed" cut="" mark
  for mark in : =; do
    [[ $COMP_WORDBREAKS == *"$mark"* && $whole == *"$mark"* ]] || continue
    local upTo="\${whole%"\${whole##*"$mark"}"}"
    ((\${#upTo} > \${#cut})) && cut="$upTo"
  done
  local index
  for index in "\${!COMPREPLY[@]}"; do
    COMPREPLY[index]="$before\${COMPREPLY[index]}"
    COMPREPLY[index]="\${COMPREPLY[index]#"$cut"}"
  done`;

/**
 * Returns the completion script. Bash splits words at colons and equals signs, which commands and flags contain. The script therefore reads
 * words from the line itself, and cuts what stands before the last of these marks off every offer.
 */
export function bashCompletion({ binary, commands }: CompletionModel): string {
  const name = `_${binary.replaceAll("-", "_")}`;
  const flagValues = commands.flatMap((command) =>
    command.flags.flatMap(({ name: flag, value }) => (value ? branch(`${command.name} --${flag}`, value) : [])),
  );
  const operands = commands.flatMap((command) =>
    command.operands.slice(0, 1).flatMap(({ value }) => (value === "nothing" ? [] : branch(command.name, value))),
  );
  return `# Completion of ${binary} for bash, printed by: ${binary} completion bash
${name}() {
  local line="\${COMP_LINE:0:COMP_POINT}" current previous="" command="" flags="" values="" list="" files=""
  local -a words=()
  IFS=$' \\t\\n' read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local last=$((\${#words[@]} - 1))
  ((last < 1)) && return
  current="\${words[last]}"
  previous="\${words[last - 1]}"
  ((last > 1)) && command="\${words[1]}"
  local before=""
  case "$current" in
    --*=*) previous="\${current%%=*}" before="\${current%%=*}=" ;;
  esac
  local typed="\${current#"$before"}"
  case "$command" in
    "") values="${commands.map((command) => command.name).join(" ")}" flags="--help --version" ;;
${commands.map((command) => `    "${command.name}") flags="${[...command.flags.map((flag) => `--${flag.name}`), "--help"].join(" ")}" ;;`).join("\n")}
  esac
  case "$command $previous" in
${flagValues.join("\n")}
    *)
      case "$command" in
${operands.map((line) => `    ${line}`).join("\n")}
      esac
      [[ $typed == -* ]] && values="$flags" list="" files=""
      ;;
  esac
${offer}
}
complete -F ${name} ${binary}`;
}

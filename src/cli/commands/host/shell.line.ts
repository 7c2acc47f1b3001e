import type { CommandContext } from "../../command.ts";

const harmless = /^[\w@%+=:,./-]+$/;
// Within $'…' the shell reads escapes: a line that is to be copied has no control characters, which would make more lines of it.
const escapes = (word: string): string =>
  word
    .replaceAll(/['\\]/g, String.raw`\$&`)
    .replaceAll(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);

function quoted(word: string): string {
  if (harmless.test(word)) return word;
  return /\p{Cc}/u.test(word) ? `$'${escapes(word)}'` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Returns the line of a shell that calls the command once more, from the same folder: by the name of the app where it is installed, or else by
 * the path of the binary.
 */
export function shellLine({ binary, build, line }: Pick<CommandContext, "binary" | "build" | "line">): string {
  const { execPath } = process;
  const fromSources = build.revision === "source" ? [Bun.main] : [];
  const program = execPath.startsWith(`/opt/${binary}/`) ? binary : execPath;
  return [program, ...fromSources, ...line].map(quoted).join(" ");
}

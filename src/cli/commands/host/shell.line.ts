import type { CommandContext } from "../../command.ts";

const harmless = /^[\w@%+=:,./-]+$/;
const quoted = (word: string): string => (harmless.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);

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

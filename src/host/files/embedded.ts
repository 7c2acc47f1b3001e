import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * Returns the texts of all files in systemd/, by their paths there, sorted. Import this as a macro: the bundler then runs it, and a binary
 * holds the texts.
 */
export function embedded(): Readonly<Record<string, string>> {
  const root = join(import.meta.dir, "../../../systemd");
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return Object.fromEntries(paths.map((path) => [relative(root, path), readFileSync(path, "utf8")]));
}

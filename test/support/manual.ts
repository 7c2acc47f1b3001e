import { readFileSync } from "node:fs";
import { join } from "node:path";
import { links } from "./markdown.ts";

const root = join(import.meta.dir, "..", "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

export interface Chapter {
  /** Its place in the repository. */
  readonly path: string;
  readonly text: string;
}

/** The chapters of the manual, in the order of its index. */
export const chapters: readonly Chapter[] = links(read("MANUAL.md"))
  .map(({ target }) => target)
  .filter((path) => path.startsWith("src/docs/"))
  .map((path) => ({ path, text: read(path) }));

/** The whole manual. A heading is found in it whichever chapter it is in. */
export const manual: string = chapters.map(({ text }) => text).join("\n");

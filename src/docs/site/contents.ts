import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Page {
  /** Where the page is on the site: `apps/proxies`. */
  readonly slug: string;
  /** Its file in the repository. Undefined where the page is made from code. */
  readonly path?: string;
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

/** A part of the manual: a heading of its index, with the chapters below it. */
export interface Part {
  readonly title: string;
  readonly folder: string;
  readonly pages: readonly Page[];
}

const line = /^- \[([^\]]+)\]\((src\/docs\/([\w/.-]+)\.md)\): (.+)$/gm;

/** Reads the manual in the order of its index, MANUAL.md: the navigation of the site is that list. */
export async function readParts(root: string): Promise<readonly Part[]> {
  const index = await readFile(join(root, "MANUAL.md"), "utf8");
  const parts = index.split("\n## ").slice(1);
  const read = parts.map(async (part) => {
    const [title = ""] = part.split("\n", 1);
    const pages = [...part.matchAll(line)].map(async ([, name = "", path = "", slug = "", about = ""]) => ({
      slug,
      path,
      title: name,
      about,
      text: await readFile(join(root, path), "utf8"),
    }));
    return { title, pages: await Promise.all(pages) };
  });
  const found = await Promise.all(read);
  return found.flatMap(({ title, pages }) => {
    const [folder] = pages[0]?.slug.split("/") ?? [];
    return folder === undefined ? [] : [{ title, folder, pages }];
  });
}

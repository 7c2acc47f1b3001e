import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The list of the inline scripts that pages have. It is written last, so a folder that has it is whole. */
const permitted = "scripts.json";
/** Far more files than the site has: a folder that is another one is not listed to its end. */
const mostFiles = 5000;

export interface SiteFile {
  readonly path: string;
  readonly isPage: boolean;
  /** Whether its name changes with its content. */
  readonly isNamedByContent: boolean;
}

export interface Site {
  /** Finds a file by the path below the address of the site, as the browser wrote it. */
  find(path: string): SiteFile | undefined;
  /** The hashes of the scripts that stand in pages. */
  readonly scripts: readonly string[];
}

/** Where the site of the manual is: beside the program, or where the sources build it. */
export const siteFolder = import.meta.dir.startsWith("/$bunfs/")
  ? join(dirname(process.execPath), "docs")
  : join(import.meta.dir, "..", "..", "dist", "docs");

async function readSite(folder: string): Promise<Site> {
  const names = new Set<string>();
  // Only what is listed is served: no path that is asked for ever reaches the file system.
  for await (const name of new Bun.Glob("**/*").scan({ cwd: folder, onlyFiles: true, followSymlinks: false })) {
    if (names.size === mostFiles) throw new Error(`${folder} has more than ${mostFiles} files: it is no manual`);
    names.add(name);
  }
  const read: unknown = JSON.parse(await readFile(join(folder, permitted), "utf8"));
  const scripts = (Array.isArray(read) ? read : []).filter(
    (hash) => typeof hash === "string" && /^sha256-[\w+/]+=*$/.test(hash),
  );
  return {
    scripts,
    find(path) {
      const page = `${path}${path === "" || path.endsWith("/") ? "" : "/"}index.html`;
      const name = [path, page].find((each) => names.has(each));
      if (name === undefined) return undefined;
      return { path: join(folder, name), isPage: name.endsWith(".html"), isNamedByContent: name.startsWith("_astro/") };
    },
  };
}

/** Returns a function that resolves to the site as it is now. Undefined while it is not built. */
export function createSite(folder: string): () => Promise<Site | undefined> {
  let known: { readonly at: number; readonly site: Promise<Site> } | undefined;
  return async () => {
    const found = await stat(join(folder, permitted)).catch(() => undefined);
    if (found === undefined) return undefined;
    if (known?.at !== found.mtimeMs) known = { at: found.mtimeMs, site: readSite(folder) };
    return known.site;
  };
}

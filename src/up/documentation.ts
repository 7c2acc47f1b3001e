import { stat } from "node:fs/promises";

/** Says whether the site of the manual is missing, or older than a chapter. To make it takes longer than to build the programs. */
export async function isSiteStale(): Promise<boolean> {
  const made = await stat("dist/docs/index.html").catch(() => undefined);
  if (made === undefined) return true;
  for await (const path of new Bun.Glob("src/docs/**/*").scan("."))
    if ((await stat(path)).mtimeMs > made.mtimeMs) return true;
  return false;
}

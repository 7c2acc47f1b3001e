import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { zip } from "./zip.ts";

const source = join(import.meta.dir, "../../kits/example");

/** Packs the example of an app with Gatehouse and nginx into a folder. Resolves to the path of the archive. */
export async function packExample(folder: string, version: string): Promise<string> {
  const names = (await readdir(source)).toSorted();
  const entries = names.map(async (name) => ({
    path: `gatehouse-example/${name}`,
    file: await Bun.file(join(source, name)).bytes(),
  }));
  const path = join(folder, `gatehouse-example-${version}.zip`);
  await Bun.write(path, zip(await Promise.all(entries)));
  return path;
}

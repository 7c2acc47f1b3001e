import { cp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import manifest from "./package.json" with { type: "json" };

interface PackOptions {
  /** Where the module is put; the package that npm installs comes beside it. */
  readonly folder: string;
  readonly version: string;
  readonly license: string;
}

/** Builds the client, and answers the path of its package. Runs at build time, in no browser. */
export async function packClient({ folder, version, license }: PackOptions): Promise<string> {
  const source = import.meta.dir;
  await Bun.build({ entrypoints: [join(source, "index.ts")], outdir: folder, target: "browser", minify: true });
  // The file of types has nothing but types, so that it is a declaration as it stands.
  const types = await Bun.file(join(source, "types.ts")).text();
  const declared = "export declare function createClient(options?: ClientOptions): Client;";
  await writeFile(join(folder, "index.d.ts"), `${types}\n${declared}\n`);
  await writeFile(join(folder, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  await cp(join(source, "README.md"), join(folder, "README.md"));
  await cp(license, join(folder, "LICENSE"));
  // Gives all files the same time, so that the same sources are the same package.
  const packed = Bun.spawnSync({
    cmd: [process.execPath, "pm", "pack", "--quiet", "--destination", dirname(folder)],
    cwd: folder,
    stderr: "pipe",
  });
  if (!packed.success) throw new Error(packed.stderr.toString());
  return join(dirname(folder), `${manifest.name}-${version}.tgz`);
}

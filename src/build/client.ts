import { cp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import manifest from "../client/package.json" with { type: "json" };

/** Builds the client into a folder, and an npm package beside that folder. Returns the path of the package. */
export async function packClient(folder: string, version: string): Promise<string> {
  const source = join(import.meta.dir, "../client");
  const entrypoints = ["index.ts", "passkeys.ts", "service.ts", "oauth.ts"].map((name) => join(source, name));
  await Bun.build({ entrypoints, outdir: folder, target: "browser", minify: true });
  // The sources of a declaration hold only types, so that their concatenation is a declaration.
  const types = (name: string): Promise<string> => Bun.file(join(source, name)).text();
  async function declare(name: string, ...parts: readonly string[]): Promise<void> {
    const declaration = parts.map((text) => text.replaceAll(/^import type [^;]*;\n+/gm, "")).join("\n");
    await writeFile(join(folder, name), declaration);
  }
  const shared = await Promise.all(
    [
      "codes.ts",
      "model.ts",
      "export.model.ts",
      "inputs.ts",
      "factors.ts",
      "result.types.ts",
      "organization/domain.types.ts",
      "organization/types.ts",
      "types.ts",
    ].map(types),
  );
  await declare("index.d.ts", ...shared, "export declare function createClient(options?: ClientOptions): Client;\n");
  await declare(
    "passkeys.d.ts",
    ...shared,
    "export declare function canUsePasskeys(): boolean;",
    "export declare function canAutofillPasskeys(): Promise<boolean>;",
    "export declare function createPasskey(options: PasskeyCreationOptions): Promise<Result<{ credential: NewPasskey }>>;",
    "export declare function getPasskey(options: PasskeyRequestOptions | undefined, use?: PasskeyUse): Promise<Result<{ credential: PasskeyAnswer }>>;\n",
  );
  await declare(
    "service.d.ts",
    ...shared,
    await types("service.types.ts"),
    "export declare function createServiceClient(options: ServiceClientOptions): ServiceClient;\n",
  );
  await declare(
    "oauth.d.ts",
    await types("oauth.types.ts"),
    "export declare function createProgram(options: ProgramOptions): Program;\n",
  );
  await writeFile(join(folder, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  await cp(join(source, "README.md"), join(folder, "README.md"));
  await cp(join(import.meta.dir, "../..", "LICENSE"), join(folder, "LICENSE"));
  // Packing gives all files the same time, so that equal sources make equal packages.
  const packed = Bun.spawnSync({
    cmd: [process.execPath, "pm", "pack", "--quiet", "--destination", dirname(folder)],
    cwd: folder,
    stderr: "pipe",
  });
  if (!packed.success) throw new Error(packed.stderr.toString());
  return join(dirname(folder), `${manifest.name}-${version}.tgz`);
}

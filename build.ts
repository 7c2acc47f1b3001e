import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packClient } from "./src/build/npm/client.ts";
import { writeChecksum } from "./src/build/checksums.ts";
import { packExample } from "./src/build/archives/example.ts";
import { packServerKits } from "./src/build/archives/server.kits.ts";
import { compile } from "./src/build/compile.ts";
import { componentsOf } from "./src/build/components.ts";
import { fetchLibraries } from "./src/build/libraries.ts";
import { packNotices, writeNotices } from "./src/build/notices.ts";
import { originOf } from "./src/build/revision.ts";
import { makeRelease } from "./src/build/release.ts";
import { isTarget, targets } from "./src/build/targets.ts";
import { bundleBrowser } from "./src/account/bundle.ts";
import { loadBreachedPasswords } from "./src/auth/password/breached.passwords.ts";
import manifest from "./package.json" with { type: "json" };

// Compiles both binaries and packs the client that apps use; with --all also what is published of a release. The same sources and
// revision give the same bytes, wherever and whenever they are built.
const root = import.meta.dir;
const binaries = { gatehouse: "src/main.ts", "gatehouse-admin": "src/admin.ts" } as const;
const usage = `Usage: bun build.ts [--app NAME] [--outdir DIR] [--revision TEXT]
       bun build.ts --all | --target NAME... [--sign KEY] [--outdir DIR] [--revision TEXT]

  --app NAME       Compile this binary alone, without the client: ${Object.keys(binaries).join(", ")}
  --all            Make a release: binaries of all targets, packages, images, lists of contents, checksums; and the manual as a site
  --target NAME    The same of these targets alone: ${Object.keys(targets).join(", ")}
  --sign KEY       Sign with ssh-keygen what a release consists of; KEY is the path of a key
  --outdir DIR     Where to (dist)
  --revision TEXT  What the binaries call their revision (the commit)`;

const { values } = parseArgs({
  options: {
    outdir: { type: "string", default: "dist" },
    revision: { type: "string" },
    app: { type: "string" },
    all: { type: "boolean" },
    target: { type: "string", multiple: true },
    sign: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help === true) {
  console.log(usage);
  process.exit(0);
}
const named = values.target ?? [];
const wanted = values.all === true ? Object.keys(targets).filter(isTarget) : named.filter(isTarget);
const { app } = values;
const chosen = Object.entries(binaries).filter(([name]) => app === undefined || name === app);
if (
  wanted.length < named.length ||
  (values.sign !== undefined && wanted.length === 0) ||
  chosen.length === 0 ||
  (app !== undefined && wanted.length > 0)
) {
  console.error(usage);
  process.exit(2);
}

const outdir = resolve(root, values.outdir);
const { version } = manifest;
const { revision, epoch } = originOf(root, values.revision);
/** A binary never lacks the check of new passwords: without a whole filter there is none. */
const breachedPasswords = await loadBreachedPasswords();
if (breachedPasswords.size < 1_000_000)
  throw new Error("the filter of breached passwords is too small: see CONTRIBUTING.md");
// Hashes in the names of the account pages' files hold paths as seen from the folder that this runs in.
process.chdir(root);
const components = await componentsOf(chosen.map(([, entrypoint]) => entrypoint));
const constants = {
  GATEHOUSE_VERSION: version,
  GATEHOUSE_REVISION: revision,
  GATEHOUSE_TIME: epoch * 1000,
  /** The account pages, once for all binaries. */
  GATEHOUSE_ACCOUNT_BUNDLE: await bundleBrowser(),
  GATEHOUSE_NOTICES: packNotices(writeNotices(components)),
};
const say = (path: string, digest: string): void =>
  console.log(`${path}  ${version} (${revision})  sha256 ${digest.slice(0, 16)}…`);

/** Packs what apps install, beside the binaries. Returns the paths. */
async function packKits(): Promise<readonly string[]> {
  const kits = join(outdir, "kits");
  const client = await packClient(join(outdir, "client"), version, kits);
  return [client, ...(await packServerKits(kits, version)), await packExample(kits, version)];
}

if (wanted.length > 0) {
  const cache = join(root, "node_modules", ".cache", "gatehouse");
  const digests = await makeRelease({
    outdir,
    cache,
    binaries,
    targets: wanted,
    constants,
    components,
    version,
    revision,
    epoch,
    libraries: (architecture) => fetchLibraries(architecture, cache),
    besides: (await packKits()).map((path) => relative(outdir, path)),
    key: values.sign,
  });
  for (const [name, digest] of digests) say(join(outdir, name), digest);
  if (values.all === true) {
    // Its reference is made from the code, all of which it loads.
    const { buildSite } = await import("./src/docs/site/build.ts");
    await buildSite(join(outdir, "docs"));
  }
} else {
  for (const [name, entrypoint] of chosen) {
    const outfile = join(outdir, name);
    await compile({ entrypoint, outfile, constants });
    say(outfile, await writeChecksum(outfile));
  }
  if (app === undefined) {
    for (const kit of await packKits()) say(kit, await writeChecksum(kit));
  }
}

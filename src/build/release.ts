import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { checksums, sha256, writeChecksum, writeChecksums } from "./checksums.ts";
import { compile } from "./compile.ts";
import { partsOf } from "./components.ts";
import type { Component } from "./contents/component.ts";
import { readElf } from "./elf.ts";
import { packDebian } from "./debian/debian.ts";
import { packImage } from "./image/image.ts";
import type { Architecture } from "./libraries.ts";
import { overview, writeOverview } from "./overview.ts";
import { writeImageSbom } from "./contents/image.ts";
import { writeSbom, type Subject } from "./contents/sbom.ts";
import { signFiles } from "./signing.ts";
import { fetchParts, targets, type TargetName } from "./targets.ts";
import { writeVex } from "./contents/vex.ts";

interface Release {
  readonly outdir: string;
  /** The folder that keeps fetched files. */
  readonly cache: string;
  /** The entry point of each binary, by its name. */
  readonly binaries: Readonly<Record<string, string>>;
  readonly targets: readonly TargetName[];
  readonly constants: Readonly<Record<string, unknown>>;
  readonly components: readonly Component[];
  readonly version: string;
  readonly revision: string;
  readonly epoch: number;
  /** Returns the folder of an architecture's C library, for images. */
  readonly libraries: (architecture: Architecture) => Promise<string>;
  /** The paths in `outdir` of what else is published. */
  readonly besides: readonly string[];
  readonly key: string | undefined;
}

/** The list of contents of a binary, and what it is about. */
interface Contents {
  readonly subject: Subject;
  readonly bom: string;
}

/** The target for each of Debian's architectures. */
const published = [
  { architecture: "amd64", target: "linux-x64" },
  { architecture: "arm64", target: "linux-arm64" },
] as const;

/** Makes all published files of a release. Returns the SHA-256 of each by its path in `outdir`. */
export async function makeRelease(release: Release): Promise<ReadonlyMap<string, string>> {
  const { outdir, cache, binaries, version, epoch, key } = release;
  const partsFor = await fetchParts(cache);
  const files = [...release.besides];
  const contents = new Map<string, Contents>();
  for (const target of release.targets) {
    // Files of an earlier build are removed, so that none is taken for one of this build.
    await rm(join(outdir, target), { recursive: true, force: true });
    await mkdir(join(outdir, target), { recursive: true });
    const components = [...release.components, ...(await partsOf(target, partsFor(target).addon))];
    for (const [name, entrypoint] of Object.entries(binaries)) {
      const binary = `${target}/${name}`;
      const outfile = join(outdir, binary);
      await compile({ entrypoint, outfile, constants: release.constants, parts: partsFor(target) });
      await checkTarget(outfile, target);
      const digest = await writeChecksum(outfile);
      const subject = { name, version, revision: release.revision, target, sha256: digest };
      const bom = writeSbom(subject, components, epoch);
      contents.set(binary, { subject, bom });
      await Bun.write(`${outfile}.cdx.json`, bom);
      await Bun.write(`${outfile}.vex.cdx.json`, writeVex(subject, { bom, components, epoch }));
      files.push(binary, `${binary}.sha256`, `${binary}.cdx.json`, `${binary}.vex.cdx.json`);
      if (key === undefined) continue;
      await signFiles(key, [outfile]);
      files.push(`${binary}.sig`);
    }
  }
  for (const name of Object.keys(binaries)) files.push(...(await makePackages(release, name, contents)));
  await writeOverview({ outdir, files, version, revision: release.revision, epoch });
  const digests = await writeChecksums(outdir, [...files, overview]);
  if (key !== undefined) await signFiles(key, [join(outdir, checksums)]);
  return digests;
}

/** Makes the packages and the image of a binary, with the image's list of contents. Returns their names. */
async function makePackages(
  release: Release,
  name: string,
  contents: ReadonlyMap<string, Contents>,
): Promise<readonly string[]> {
  const { outdir, version, revision, epoch, libraries } = release;
  const made = published
    .filter(({ target }) => release.targets.includes(target))
    .map(({ architecture, target }) => ({ architecture, binary: join(outdir, target, name), target }));
  if (made.length === 0) return [];
  const packages: string[] = [];
  for (const each of made) packages.push(await packDebian({ ...each, name, version, epoch, outdir }));
  const image = await packImage({ binaries: made, name, version, epoch, outdir, libraries, revision });
  const held = made.flatMap(({ architecture, target }) => {
    const found = contents.get(`${target}/${name}`);
    return found === undefined ? [] : [{ architecture, ...found }];
  });
  const subject = { name, version, revision, target: "image", sha256: await sha256(join(outdir, image)) };
  await Bun.write(join(outdir, `${image}.cdx.json`), writeImageSbom(subject, held, epoch));
  return [...packages, image, `${image}.cdx.json`];
}

/** Throws if a binary holds the runtime of another machine: such a binary must not be published. */
async function checkTarget(path: string, name: TargetName): Promise<void> {
  const { machine, interpreter = "nothing" } = readElf(await Bun.file(path).bytes());
  const wanted = targets[name];
  if (machine !== wanted.machine || interpreter.includes("musl") !== (wanted.libc === "musl"))
    throw new Error(`${path} is for ${machine} and ${interpreter}, not for ${name}`);
}

import { chmod, lstat, mkdtemp, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HostFailure, isLeftover, wordsOf, type Disk, type System } from "../system/index.ts";
import { checksumOf, readBeside, readChecksum } from "./beside.ts";
import type { Places } from "./places.ts";
import { needsSignature, verifySignature } from "./signature.ts";

const marginBytes = 16 * 1024 * 1024;
const mebibyte = 1024 * 1024;
/** Prefix of folders that are no releases yet, or no longer. */
const stagingPrefix = ".staging.";
/** The format of ssh-keygen. */
const signature = /^-----BEGIN SSH SIGNATURE-----\n[\w+/=\n]+\n-----END SSH SIGNATURE-----\n?$/;
/** Entries of an app's folder that a release replaces. */
const changed = ["current", "previous", "unfinished.json"];

export interface Source {
  readonly bytes: string;
  /** The file's name for people. Its checksum and its signature lie beside it. */
  readonly path: string;
}

interface StageOptions {
  readonly app: string;
  readonly system: System;
  readonly places: Places;
  readonly source: Source;
}

/** A release on its way to this host. */
interface Staging extends Omit<StageOptions, "system"> {
  readonly disk: Disk;
  readonly expected: string;
  readonly isSigned: boolean;
}

/** Brings a whole binary into the folder of releases, after every check that is possible without running it. */
export async function stage({ app, system, places, source }: StageOptions) {
  const expected = await expectedOf(source.path, app);
  const isSigned = await needsSignature(places);
  const { disk } = system;
  const staging = { app, disk, places, source, expected, isSigned };
  let folder: string | undefined;
  try {
    await prepare(places, disk);
    await requireRoom(staging);
    folder = await mkdtemp(join(places.releases, stagingPrefix));
    const binary = join(folder, app);
    await copyInto(folder, staging);
    if (isSigned) await verifySignature({ system, places, binary, signature: `${binary}.sig` });
    const release = await askForName(binary, app, system);
    return { release, isSigned, ...(await settle(folder, release, staging)) };
  } finally {
    if (folder !== undefined) await disk.remove(folder);
  }
}

async function expectedOf(path: string, app: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new HostFailure("there is no such file", "copy the binary to this host");
  if (!found.isFile()) throw new HostFailure("it is no file", "copy the binary to this host");
  return readChecksum(path, app, "copy the checksum that the build wrote beside the binary");
}

/** Makes the folders, and removes half copies of releases that were cut off. */
async function prepare(places: Places, disk: Disk): Promise<void> {
  await disk.folder(places.releases, 0o755);
  await disk.syncFolder(places.root);
  await disk.syncFolder(dirname(places.root));
  for (const name of await readdir(places.releases))
    if (name.startsWith(stagingPrefix)) await disk.remove(join(places.releases, name));
  for (const name of await readdir(places.root))
    if (changed.some((each) => isLeftover(name, each))) await disk.remove(join(places.root, name));
}

async function requireRoom({ places, disk, source }: Staging): Promise<void> {
  const { size } = Bun.file(source.bytes);
  const free = await disk.freeBytes(places.releases);
  if (free > size + marginBytes) return;
  const inMiB = (bytes: number): number => Math.floor(bytes / mebibyte);
  throw new HostFailure(
    `${places.root} has ${inMiB(free)} MiB free, the release takes ${inMiB(size)} MiB`,
    "make room there, then run this again",
  );
}

async function copyInto(folder: string, { app, disk, source, expected, isSigned }: Staging): Promise<void> {
  const binary = join(folder, app);
  await disk.copy(source.bytes, binary, 0o755);
  // The checksum is taken of the copy, so that a bad upload and a bad disk are both found.
  if ((await checksumOf(binary)) !== expected)
    throw new HostFailure(
      `its SHA-256 is not the one in ${source.path}.sha256: corrupt, truncated or another build`,
      "copy the binary and its .sha256 from the build again",
    );
  await disk.write(`${binary}.sha256`, `${expected}  ${app}\n`, 0o644);
  if (isSigned) {
    const absent = "releases have to be signed on this host: copy the signature that the build made beside the binary";
    const text = await readBeside(`${source.path}.sig`, absent);
    // Any other content is rejected, since the copy is readable by everybody.
    if (!signature.test(text)) throw new HostFailure("its signature can't be read", "copy it again from the build");
    await disk.write(`${binary}.sig`, text, 0o644);
  }
  await chmod(folder, 0o755);
  await disk.syncFolder(folder);
}

/** Runs the copy for the first time, as the services will: a binary that does not run in their sandbox is found here. */
async function askForName(binary: string, app: string, system: System): Promise<string> {
  const said = await system.systemd.runAsService(app, [binary, "--version"]);
  const words = wordsOf(said);
  if (said.code !== 0)
    throw new HostFailure(`it does not run here: ${words || "no output"}`, "build it for this host's system");
  const [, name, version = "", revision = ""] = /^([a-z-]+) ([0-9A-Za-z.+-]+) \(([0-9A-Za-z._-]+)\)$/.exec(words) ?? [];
  if (name !== app)
    throw new HostFailure(
      `it calls itself '${words}', not ${app}`,
      `take the binary of ${app}, or the command of the other app`,
    );
  return `${version.replaceAll("+", "_")}-${revision}`;
}

/**
 * Gives the folder its name, unless the host has the release already. A new folder is removed if the release fails before its migration. A
 * release is mended if the host had it with a binary that had changed on disk.
 */
async function settle(folder: string, release: string, { disk, places, expected }: Staging) {
  const isHere = (await lstat(places.folderOf(release)).catch(() => undefined)) !== undefined;
  if (!isHere) {
    await disk.move(folder, places.folderOf(release));
    return { isNew: true, isMended: false };
  }
  const found = await checksumOf(places.binaryOf(release)).catch(() => undefined);
  const stored = await storedChecksum(places, release);
  if (found === expected && stored === expected) return { isNew: false, isMended: false };
  if (stored !== undefined && stored !== expected)
    throw new HostFailure(
      `release ${release} is here already with other content`,
      "build it under a version or revision of its own",
    );
  // The host's copy of this release has changed on disk, or lost its checksum: each file is replaced in one step, since its services may be
  // running.
  for (const name of await readdir(folder)) await disk.move(join(folder, name), join(places.folderOf(release), name));
  return { isNew: false, isMended: found !== expected };
}

async function storedChecksum(places: Places, release: string): Promise<string | undefined> {
  const text = await readFile(`${places.binaryOf(release)}.sha256`, "utf8").catch(() => "");
  return /^([0-9a-f]{64})\s/.exec(text)?.[1];
}

/** Throws unless a release on this host is as it was when it came. */
export async function verifyStored(places: Places, release: string): Promise<void> {
  const advice = `put its binary into service again: ${basename(places.root)} release:activate PATH`;
  const found = await checksumOf(places.binaryOf(release)).catch(() => undefined);
  if (found === undefined) throw new HostFailure("it is no longer on this host", advice);
  if (found !== (await storedChecksum(places, release)))
    throw new HostFailure("its binary has changed on disk", advice);
}

/** Removes a release so that a power cut never leaves half of it under its name. */
export async function removeRelease(disk: Disk, places: Places, release: string): Promise<void> {
  const aside = join(places.releases, `${stagingPrefix}removed.${release}`);
  await disk.remove(aside);
  await disk.move(places.folderOf(release), aside);
  await disk.remove(aside);
}

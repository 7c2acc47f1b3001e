import { createWriteStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { errorCode } from "../core/errors.ts";
import type { BackupCapability } from "../drivers/database/index.ts";
import type { ArchiveOptions } from "./archive.ts";
import {
  createManifests,
  manifestEnding,
  type ManifestOptions,
  manifestOf,
  measure,
  measured,
  mostManifestBytes,
  UnprovenBackup,
} from "./manifest.ts";
import { sealedEnding } from "./names.ts";
import { createReading, type Examined } from "./reading.ts";
import { unseal } from "./vault.ts";
import { inWorkFolder, type Work, type WorkPlace } from "./work.folder.ts";

interface PlainFileOptions extends ManifestOptions {
  readonly path: string;
  readonly identities: readonly string[];
  readonly place: WorkPlace;
  readonly work: Work;
}

interface FileWork extends ManifestOptions, Pick<ArchiveOptions, "examine"> {
  readonly path: string;
  readonly replace: boolean;
  readonly work: Work;
}

/** Writes a backup into a file of this host, and its manifest beside it. */
export async function backUpToFile(
  { backUp }: BackupCapability,
  { path, replace, work, examine, ...options }: FileWork,
): Promise<Pick<Examined, "strange">> {
  const manifests = createManifests(options);
  const reading = createReading({ examine });
  const content = (): string => {
    const { schema, measured: found } = reading.found();
    return manifests.write(basename(path), { schema, series: null }, found);
  };
  await backUp(path, { replace, ...work, read: reading.read, beside: { ending: manifestEnding, content } });
  return reading.found();
}

/** Returns undefined where there is no manifest. */
async function readManifest(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > mostManifestBytes) throw new UnprovenBackup(`${path} is too large for a manifest`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Hands a backup in a file of this host to `use`, decrypted where its name ends in `.age`. A file that needs no decryption is used where it
 * lies, and `use` gets its SHA-256 as well.
 */
export async function inPlainFile<T>(
  { path, identities, place, work, ...options }: PlainFileOptions,
  use: (path: string, sha256: string | undefined) => Promise<T>,
): Promise<T> {
  const isSealed = path.endsWith(sealedEnding);
  if (isSealed && identities.length === 0)
    throw new Error(`${path} is encrypted: --identity names the file with age's secret key`);
  const manifests = createManifests(options);
  const file = Bun.file(path);
  // The code that opens the file reports one that is missing, or that is no file.
  const isThere = await file.exists();
  const manifest = isThere ? manifests.read(path, await readManifest(manifestOf(path))) : undefined;
  if (manifest !== undefined) manifests.compare(path, manifest, { bytes: file.size });
  if (!isSealed) {
    const found = isThere ? await measure(path, work) : undefined;
    if (manifest !== undefined) manifests.compare(path, manifest, found ?? {});
    return use(path, found?.sha256);
  }
  await place.requireRoom?.((work.copies ?? 1) * file.size);
  return inWorkFolder(place, async (plain) => {
    const stored = measured(file.stream(), (all) => manifest && manifests.compare(path, manifest, all));
    const content = await unseal(path, stored, identities);
    const { pipeline } = await import("node:stream/promises");
    await pipeline(content, createWriteStream(plain, { flags: "wx", mode: 0o600 }), { signal: work.signal });
    return use(plain, undefined);
  });
}

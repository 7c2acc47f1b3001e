import { createHash } from "node:crypto";
import { basename, join } from "node:path";

export const checksums = "SHA256SUMS";

export async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  return hash.digest("hex");
}

/** Writes the checksum of a file beside it, in the format of `sha256sum -c`. */
export async function writeChecksum(path: string): Promise<string> {
  const digest = await sha256(path);
  await Bun.write(`${path}.sha256`, `${digest}  ${basename(path)}\n`);
  return digest;
}

/** Writes the checksums of files below a folder into one file there, in the format of `sha256sum -c`. Returns them by name. */
export async function writeChecksums(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const name of names.toSorted()) digests.set(name, await sha256(join(folder, name)));
  const lines = [...digests].map(([name, digest]) => `${digest}  ${name}\n`);
  await Bun.write(join(folder, checksums), lines.join(""));
  return digests;
}

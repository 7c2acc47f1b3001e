import { createWriteStream } from "node:fs";
import { sealedEnding } from "./names.ts";
import { unseal } from "./vault.ts";
import { inWorkFolder, type WorkPlace } from "./work.folder.ts";

interface PlainFileOptions {
  readonly path: string;
  readonly identities: readonly string[];
  readonly place: WorkPlace;
  readonly signal: AbortSignal;
}

/** A backup in a file of this host, decrypted where its name ends in `.age`, for as long as `use` takes. */
export async function inPlainFile<T>(options: PlainFileOptions, use: (path: string) => Promise<T>): Promise<T> {
  const { path, identities, place, signal } = options;
  if (!path.endsWith(sealedEnding)) return use(path);
  if (identities.length === 0) throw new Error(`${path} is encrypted: --identity names the file with age's secret key`);
  return inWorkFolder(place, async (plain) => {
    const content = await unseal(path, Bun.file(path).stream(), identities);
    const { pipeline } = await import("node:stream/promises");
    await pipeline(content, createWriteStream(plain, { flags: "wx", mode: 0o600 }), { signal });
    return use(plain);
  });
}

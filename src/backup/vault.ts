import { readFile, stat } from "node:fs/promises";
import { deriveKey } from "../core/crypto.ts";
import { readBounded } from "../core/pace/stream.ts";
import type { FilePage, ListOptions, ReadFile, Storage, StoredFile } from "../drivers/storage/index.ts";
import {
  type About,
  createManifests,
  type Manifest,
  type ManifestOptions,
  manifestOf,
  measured,
  mostManifestBytes,
  type Measured,
  UnprovenBackup,
} from "./manifest.ts";
import { sealedEnding } from "./names.ts";

interface PutOptions {
  readonly signal: AbortSignal;
  /** Of the content before it is encrypted. */
  readonly sha256?: string | undefined;
  /** What its manifest says; without it, none is put. */
  readonly about?: About | undefined;
}

/** Whether a file must have a manifest, or is asked for one: those of continuous copies prove themselves. */
type Asked = "must" | "may" | "none";

/** A disk on which copies are encrypted where there is a recipient for them. */
export interface Vault {
  readonly name: string;
  /** Makes and checks what is inside files of continuous copies: no one without the application key can. */
  readonly key: Uint8Array;
  /** Where it is given, what can't be proved is let through, and this is told why, in words. */
  readonly unproven: ((why: string) => void) | undefined;
  /** Puts the content under that name, or under it and `.age`, encrypted; then its manifest, or neither. */
  put(name: string, content: ReadableStream<Uint8Array>, options: PutOptions): Promise<StoredFile>;
  /** A file as it was before it was encrypted. Its stream ends with an error where what is there is not what was put. */
  get(name: string, manifest: Asked): Promise<ReadFile | undefined>;
  list(options: ListOptions): Promise<FilePage>;
  /** The manifest goes first: what is stopped in between leaves a backup that is listed, and no manifest that is forgotten. */
  delete(name: string, manifest: Asked): Promise<void>;
}

export interface VaultOptions extends ManifestOptions {
  readonly disk: Storage;
  /** The public key of age for which everything is encrypted. */
  readonly recipient?: string | undefined;
  /** What reads it again, `AGE-SECRET-KEY-1…`, where somebody brought it. */
  readonly identities?: readonly string[];
}

const mostIdentityBytes = 64 * 1024;

/** What a file of age's identities holds: one a line, and comments. */
export async function readIdentities(path: string): Promise<readonly string[]> {
  const { size } = await stat(path);
  if (size > mostIdentityBytes) throw new Error(`${path} is too large for a file of age identities`);
  const lines = (await readFile(path, "utf8")).split(/\r?\n/).map((line) => line.trim());
  const identities = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (identities.length === 0 || identities.some((line) => !line.startsWith("AGE-SECRET-KEY-")))
    throw new Error(`${path} holds no age identity: it has a line AGE-SECRET-KEY-1…, as age-keygen writes it`);
  return identities;
}

/** What was encrypted. Its stream ends with an error where what is there is damaged or cut off. */
export async function unseal(
  name: string,
  content: ReadableStream<Uint8Array>,
  identities: readonly string[],
): Promise<ReadableStream<Uint8Array>> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  const sealed = content.getReader();
  // The library leaves a stream that it can't decrypt locked and open, and with it the file or the connection.
  const failure = async (words: string, cause: unknown): Promise<Error> => {
    await sealed.cancel().catch(() => undefined);
    return cause instanceof UnprovenBackup ? cause : new Error(`${name} can't be decrypted: ${words}`, { cause });
  };
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    const plain = await decrypter.decrypt(pulled(sealed));
    return pulled(plain.getReader(), (cause) => failure("it was damaged, cut off or changed", cause));
  } catch (cause) {
    throw await failure("it is for another identity, or damaged", cause);
  }
}

interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** What a reader reads, as a stream. */
const pulled = (
  reader: ChunkReader,
  failure: (cause: unknown) => unknown = (cause) => cause,
): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done || value === undefined) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          throw await failure(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );

/** age's own library is loaded when the first copy is encrypted or read. */
export function createVault(options: VaultOptions): Vault {
  const { disk, recipient, identities = [], installation, unproven } = options;
  const manifests = createManifests(options);

  async function seal(content: ReadableStream<Uint8Array>, to: string): Promise<ReadableStream<Uint8Array>> {
    const { Encrypter } = await import("age-encryption");
    const encrypter = new Encrypter();
    encrypter.addRecipient(to);
    return encrypter.encrypt(content);
  }

  async function readManifest(name: string): Promise<Manifest | undefined> {
    const found = await disk.get(manifestOf(name));
    if (found === undefined) return manifests.read(name, undefined);
    const tooLarge = (): Error => new UnprovenBackup(`${manifestOf(name)} is too large for a manifest`);
    // A server that promises much may take as long over it.
    if (found.size > mostManifestBytes) {
      await found.content.cancel().catch(() => undefined);
      throw tooLarge();
    }
    const bytes = await readBounded(found.content, { mostBytes: mostManifestBytes, tooLarge });
    const manifest = manifests.read(name, new TextDecoder().decode(bytes));
    if (manifest !== undefined && manifest.file !== name)
      throw new UnprovenBackup(`${manifestOf(name)} is the manifest of ${manifest.file}: a file was exchanged`);
    return manifest;
  }

  async function manifestFor(name: string, asked: Asked): Promise<Manifest | undefined> {
    if (asked === "none" || (asked === "may" && (await disk.stat(manifestOf(name))) === undefined)) return undefined;
    return readManifest(name);
  }

  return {
    name: disk.name,
    key: deriveKey(installation.key, `backup-copies/${installation.env}`),
    unproven,
    async put(name, content, { signal, sha256, about }) {
      const isSealed = recipient !== undefined;
      const stored = isSealed ? `${name}${sealedEnding}` : name;
      let found: Measured | undefined;
      const bytes = measured(isSealed ? await seal(content, recipient) : content, (all) => (found = all));
      const file = await disk.put(stored, bytes, { signal, ...(!isSealed && { sha256 }) });
      if (about === undefined) return file;
      try {
        if (found?.bytes !== file.size)
          throw new Error(`${stored} has ${file.size} bytes on the disk, not ${found?.bytes}`);
        await disk.put(manifestOf(stored), new TextEncoder().encode(manifests.write(stored, about, found)), { signal });
      } catch (error) {
        // A backup without a manifest would be one that no restore takes.
        await disk.delete(stored).catch(() => undefined);
        throw error;
      }
      return file;
    },
    async get(name, asked) {
      const isSealed = name.endsWith(sealedEnding);
      if (isSealed && identities.length === 0)
        throw new Error(`${name} is encrypted: --identity names the file with age's secret key`);
      const file = await disk.get(name);
      if (file === undefined) return undefined;
      try {
        const manifest = await manifestFor(name, asked);
        if (manifest !== undefined) manifests.compare(name, manifest, { bytes: file.size });
        const content =
          manifest === undefined
            ? file.content
            : measured(file.content, (all) => manifests.compare(name, manifest, all));
        return { ...file, content: isSealed ? await unseal(name, content, identities) : content };
      } catch (error) {
        await file.content.cancel().catch(() => undefined);
        throw error;
      }
    },
    list: (wanted) => disk.list(wanted),
    async delete(name, asked) {
      if (asked !== "none") await disk.delete(manifestOf(name));
      await disk.delete(name);
    },
  };
}

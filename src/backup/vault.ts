import { readFile, stat } from "node:fs/promises";
import { deriveKey } from "../core/crypto.ts";
import { readBounded } from "../core/pace/stream.ts";
import type { ReadFile, Storage, StoredFile } from "../drivers/storage/index.ts";
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
  /** What the content is before it is encrypted, where that is known: the disk then compares it, and it is not hashed here as well. */
  readonly plain?: Measured | undefined;
  /** The facts for the manifest. Without them no manifest is put. */
  readonly about?: About | undefined;
}

/** Whether a file must have a manifest, may have one, or is not asked for one: files of continuous copies prove themselves. */
type Asked = "must" | "may" | "none";

export interface VaultOptions extends ManifestOptions {
  readonly disk: Storage;
  /** The public age key that everything is encrypted for. */
  readonly recipient?: string | undefined;
  /** Secret age keys that read encrypted files, `AGE-SECRET-KEY-1…`, where somebody brought them. */
  readonly identities?: readonly string[];
}

const mostIdentityBytes = 64 * 1024;

/** Reads a file of age identities: one a line, and comments. */
export async function readIdentities(path: string): Promise<readonly string[]> {
  const { size } = await stat(path);
  if (size > mostIdentityBytes) throw new Error(`${path} is too large for a file of age identities`);
  const lines = (await readFile(path, "utf8")).split(/\r?\n/).map((line) => line.trim());
  const identities = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (identities.length === 0 || identities.some((line) => !line.startsWith("AGE-SECRET-KEY-")))
    throw new Error(`${path} holds no age identity: it has a line AGE-SECRET-KEY-1…, as age-keygen writes it`);
  return identities;
}

/** Decrypts the content. The stream ends with an error where the content is damaged or cut off. */
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

export type Vault = ReturnType<typeof createVault>;

/**
 * Makes the vault of a disk, whose copies are encrypted where a recipient is configured. The age library is loaded when the first copy is
 * encrypted or read.
 */
export function createVault(options: VaultOptions) {
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
    // A size that is announced as too large is refused without a wait for the bytes.
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
    /** The key that makes and checks files of continuous copies. It derives from the application key: with another one they are unproven. */
    key: deriveKey(installation.key, `backup-copies/${installation.env}`),
    unproven,

    /** Puts the content under that name, or encrypted under the name and `.age`, and then its manifest: both or neither. */
    async put(
      name: string,
      content: ReadableStream<Uint8Array>,
      { signal, plain, about }: PutOptions,
    ): Promise<StoredFile> {
      const isSealed = recipient !== undefined;
      const stored = isSealed ? `${name}${sealedEnding}` : name;
      const known = isSealed ? undefined : plain;
      let found = known;
      const sealed = isSealed ? await seal(content, recipient) : content;
      const bytes = known === undefined ? measured(sealed, (all) => (found = all)) : sealed;
      const file = await disk.put(stored, bytes, { signal, sha256: known?.sha256 });
      if (about === undefined) return file;
      try {
        if (found?.bytes !== file.size)
          throw new Error(`${stored} has ${file.size} bytes on the disk, not ${found?.bytes}`);
        await disk.put(manifestOf(stored), new TextEncoder().encode(manifests.write(stored, about, found)), { signal });
      } catch (error) {
        // No restore would take a backup without a manifest.
        await disk.delete(stored).catch(() => undefined);
        throw error;
      }
      return file;
    },

    /** Returns a file, decrypted. Its stream ends with an error where the bytes are not those that were put. */
    async get(name: string, asked: Asked): Promise<ReadFile | undefined> {
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

    /** Lists the files whose names begin with the prefix, in the order of their names. */
    async list(prefix: string, mostPages: number): Promise<readonly StoredFile[]> {
      const found: StoredFile[] = [];
      let after: string | undefined = "";
      for (let pages = 0; after !== undefined && pages < mostPages; pages += 1) {
        const page = await disk.list({ prefix, after });
        found.push(...page.files);
        after = page.next;
      }
      return found;
    },

    /** Deletes the manifest first: a stop in between leaves a backup that is listed, and no manifest that is forgotten. */
    async delete(name: string, asked: Asked): Promise<void> {
      if (asked !== "none") await disk.delete(manifestOf(name));
      await disk.delete(name);
    },
  };
}

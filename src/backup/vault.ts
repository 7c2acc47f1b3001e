import { readFile, stat } from "node:fs/promises";
import type { FilePage, ListOptions, ReadFile, Storage, StoredFile } from "../drivers/storage/index.ts";
import { sealedEnding } from "./names.ts";

interface PutOptions {
  readonly signal: AbortSignal;
  /** Of the content before it is encrypted. */
  readonly sha256?: string | undefined;
}

/** A disk on which copies are encrypted where there is a recipient for them. */
export interface Vault {
  readonly name: string;
  /** Puts the content under that name, or under it and `.age`, encrypted. */
  put(name: string, content: ReadableStream<Uint8Array>, options: PutOptions): Promise<StoredFile>;
  /** A file as it was before it was encrypted. Its stream ends with an error where what is there is damaged or cut off. */
  get(name: string): Promise<ReadFile | undefined>;
  list(options: ListOptions): Promise<FilePage>;
  delete(name: string): Promise<void>;
}

export interface VaultOptions {
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
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    return await decrypter.decrypt(content);
  } catch (cause) {
    await content.cancel().catch(() => undefined);
    throw new Error(`${name} can't be decrypted: it is for another identity, or damaged`, { cause });
  }
}

/** age's own library is loaded when the first copy is encrypted or read. */
export function createVault({ disk, recipient, identities = [] }: VaultOptions): Vault {
  async function seal(content: ReadableStream<Uint8Array>, to: string): Promise<ReadableStream<Uint8Array>> {
    const { Encrypter } = await import("age-encryption");
    const encrypter = new Encrypter();
    encrypter.addRecipient(to);
    return encrypter.encrypt(content);
  }

  return {
    name: disk.name,
    async put(name, content, { signal, sha256 }) {
      if (recipient === undefined) return disk.put(name, content, { signal, sha256 });
      return disk.put(`${name}${sealedEnding}`, await seal(content, recipient), { signal });
    },
    async get(name) {
      const isSealed = name.endsWith(sealedEnding);
      if (isSealed && identities.length === 0)
        throw new Error(`${name} is encrypted: --identity names the file with age's secret key`);
      const file = await disk.get(name);
      if (file === undefined || !isSealed) return file;
      return { ...file, content: await unseal(name, file.content, identities) };
    },
    list: (options) => disk.list(options),
    delete: (name) => disk.delete(name),
  };
}

import { deriveKey, hexMac, nodeCrypto } from "../crypto.ts";

interface SealOptions {
  /** The key of the application. */
  readonly key: string;
  /** Earlier keys: they open what they have sealed, and seal nothing. */
  readonly previousKeys: readonly string[];
  /** What is sealed: no derived key serves two purposes. */
  readonly purpose: string;
}

const algorithm = "aes-256-gcm";
const [version, nonceBytes, tagBytes] = ["1", 12, 16];

/**
 * Seals secrets of others that have to be read again, so that the database alone tells none of them: AES-256-GCM, with a key that is derived
 * from the application's. A sealed text belongs to its context, such as the id of a row, and opens in no other.
 */
export function createSeal({ key, previousKeys, purpose }: SealOptions) {
  const keyOf = (secret: string) => {
    const derived = deriveKey(secret, purpose);
    return { derived, name: hexMac(derived, "name").slice(0, 8) };
  };
  const [present, ...earlier] = [keyOf(key), ...previousKeys.map(keyOf)];
  const keys = new Map([...earlier, present].map(({ name, derived }) => [name, derived]));

  return {
    seal(text: string, context: string): string {
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
      const cipher = nodeCrypto().createCipheriv(algorithm, present.derived, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return [version, present.name, sealed.toString("base64url")].join(".");
    },

    /** Returns what was sealed; undefined where no key that is known has sealed it, for this context and as it is now. */
    open(sealed: string, context: string): string | undefined {
      const [found, name = "", body = ""] = sealed.split(".");
      const derived = keys.get(name);
      const bytes = Buffer.from(body, "base64url");
      if (found !== version || derived === undefined || bytes.length < nonceBytes + tagBytes) return undefined;
      try {
        const opener = nodeCrypto()
          .createDecipheriv(algorithm, derived, bytes.subarray(0, nonceBytes))
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-tagBytes));
        return opener.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + opener.final("utf8");
      } catch {
        return undefined;
      }
    },

    /** Whether the present key has sealed it. */
    isCurrent: (sealed: string): boolean => sealed.startsWith(`${version}.${present.name}.`),
  };
}

export type Seal = ReturnType<typeof createSeal>;

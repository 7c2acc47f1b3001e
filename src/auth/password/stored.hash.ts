import { promisify } from "node:util";
import { contentHash, nodeCrypto } from "../../core/crypto.ts";

export type VerifyArgon2 = (stored: string, password: string) => Promise<boolean>;

export interface StoredHash {
  /** Why the hash costs more than this service spends on a login; undefined when it does not. */
  readonly excess: string | undefined;
  verify(password: string, argon2: VerifyArgon2): Promise<boolean>;
}

/** The most that the check of one hash may take: about a second of a core, and so much memory that a few checks at once don't exhaust it. */
const most = {
  bcryptCost: 14,
  pbkdf2Iterations: 2_000_000,
  memoryMiB: 128,
  /** N · r · p of scrypt: four times what OWASP asks for. */
  scryptWork: 4 * 2 ** 20,
  /** MiB that Argon2 fills, times the passes over them. */
  argon2Work: 1_024,
  threads: 16,
} as const;
/** With a shorter digest a wrong password would match by chance sooner or later. */
const leastDigestBytes = 16;
const mostDigestBytes = 128;

const excessOf = (what: string, value: number, limit: number): string | undefined =>
  value > limit ? `has ${what} of ${value}, and at most ${limit} is taken` : undefined;

/** Base64 in any of its alphabets, padded or not. passlib writes a dot for the plus. */
const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll(".", "+"), "base64");
const base64 = "[A-Za-z0-9+/._-]+={0,2}";

const digestOf = (text: string): Buffer | undefined => {
  const digest = bytesOf(text);
  return digest.length >= leastDigestBytes && digest.length <= mostDigestBytes ? digest : undefined;
};

/** bcrypt reads 72 bytes. The runtime hashes a longer password first, as no other system does. */
const bcryptInput = (password: string): Uint8Array => Buffer.from(password).subarray(0, 72);

function readBcrypt(hash: string, inputOf: (password: string) => Uint8Array): StoredHash {
  const cost = Number(hash.slice(4, 6));
  return {
    excess: cost < 4 ? "has a cost that bcrypt does not know" : excessOf("a bcrypt cost", cost, most.bcryptCost),
    verify: (password) => Bun.password.verify(inputOf(password), hash),
  };
}

interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

function scryptExcess({ N, r, p }: ScryptCost): string | undefined {
  // RFC 7914 §2: N is a power of 2 below 2^(16r).
  if (N < 2 || r < 1 || p < 1 || !Number.isInteger(Math.log2(N)) || Math.log2(N) >= 16 * r)
    return "has parameters that scrypt does not know";
  // scrypt fills N · r blocks, and keeps p · r of them beside those.
  return (
    excessOf("scrypt memory in MiB", (128 * r * Math.max(N, p)) / 2 ** 20, most.memoryMiB) ??
    excessOf("scrypt work (N · r · p)", N * r * p, most.scryptWork)
  );
}

function deriveScrypt(password: string, salt: Buffer, length: number, cost: ScryptCost): Promise<Buffer> {
  const options = { ...cost, maxmem: 2 * most.memoryMiB * 2 ** 20 };
  const scrypt = promisify<string, Buffer, number, typeof options, Buffer>(nodeCrypto().scrypt);
  return scrypt(password, salt, length, options);
}

function readScrypt(cost: ScryptCost, salt: Buffer, digest: Buffer | undefined): StoredHash | undefined {
  if (digest === undefined) return undefined;
  return {
    excess: scryptExcess(cost),
    verify: async (password) => crypto.timingSafeEqual(await deriveScrypt(password, salt, digest.length, cost), digest),
  };
}

/** Firebase's variant: scrypt makes a key, which encrypts the signer key of the project. The result is the hash. */
function readFirebase(cost: ScryptCost, [separator, signer, salt, hash]: readonly Buffer[]): StoredHash | undefined {
  if (separator === undefined || signer === undefined || salt === undefined || hash === undefined) return undefined;
  if (hash.length < leastDigestBytes || signer.length !== hash.length) return undefined;
  return {
    excess: scryptExcess(cost),
    async verify(password) {
      const key = await deriveScrypt(password, Buffer.concat([salt, separator]), 32, cost);
      const cipher = nodeCrypto().createCipheriv("aes-256-ctr", key, Buffer.alloc(16));
      return crypto.timingSafeEqual(cipher.update(signer), hash);
    },
  };
}

const digestBytes: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

function readPbkdf2(algorithm: string, iterations: number, salt: Buffer, digest: Buffer | undefined) {
  if (digest === undefined || iterations < 1) return undefined;
  // Each block of the key is made separately, with all iterations: the first block is proof enough, and every further one costs as much.
  const first = digest.subarray(0, digestBytes[algorithm]);
  return {
    excess: excessOf("PBKDF2 iterations", iterations, most.pbkdf2Iterations),
    async verify(password: string) {
      const pbkdf2 = promisify(nodeCrypto().pbkdf2);
      return crypto.timingSafeEqual(await pbkdf2(password, salt, iterations, first.length, algorithm), first);
    },
  };
}

function readArgon2(hash: string, [m, t, p]: readonly number[], digest: string): StoredHash | undefined {
  if (m === undefined || t === undefined || p === undefined || digestOf(digest) === undefined) return undefined;
  return {
    excess:
      t < 1 || p < 1 || m < 8 * p
        ? "has parameters that Argon2 does not know"
        : (excessOf("Argon2 memory in MiB", m / 2 ** 10, most.memoryMiB) ??
          excessOf("Argon2 work (MiB times passes)", (m * t) / 2 ** 10, most.argon2Work) ??
          excessOf("Argon2 threads", p, most.threads)),
    verify: (password, argon2) => argon2(hash, password),
  };
}

interface Form {
  readonly form: RegExp;
  read(parts: readonly string[]): StoredHash | undefined;
}

const formOf = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
const count = String.raw`(\d{1,10})`;
const bcryptForm = String.raw`(\$2[aby]\$\d\d\$[./A-Za-z0-9]{53})`;
const scryptCost = (N: number, r = "", p = ""): ScryptCost => ({ N, r: Number(r), p: Number(p) });

/** Every spelling that is read. The first of each kind is the one that other systems agree on. */
const forms: readonly Form[] = [
  {
    // Django writes the name of its hasher before the hash of the Argon2 library.
    form: formOf(
      String.raw`(?:argon2)?(\$argon2(?:id|i|d)\$v=(?:16|19)\$m=${count},t=${count},p=${count}\$[A-Za-z0-9+/]{11,}\$([A-Za-z0-9+/]+))`,
    ),
    read: ([hash = "", m, t, p, digest = ""]) => readArgon2(hash, [m, t, p].map(Number), digest),
  },
  { form: formOf(String.raw`(?:bcrypt\$)?${bcryptForm}`), read: ([hash = ""]) => readBcrypt(hash, bcryptInput) },
  {
    // Django's form for passwords of more than 72 bytes.
    form: formOf(String.raw`bcrypt_sha256\$${bcryptForm}`),
    read: ([hash = ""]) => readBcrypt(hash, (password) => Buffer.from(contentHash(password))),
  },
  {
    form: formOf(String.raw`\$scrypt\$ln=(\d{1,2}),r=${count},p=${count}\$(${base64})\$(${base64})`),
    read: ([ln, r, p, salt = "", digest = ""]) =>
      readScrypt(scryptCost(2 ** Number(ln), r, p), bytesOf(salt), digestOf(digest)),
  },
  {
    // Django's form, whose salt is text.
    form: formOf(String.raw`scrypt\$${count}\$([^$]+)\$${count}\$${count}\$(${base64})`),
    read: ([N, salt = "", r, p, digest = ""]) =>
      readScrypt(scryptCost(Number(N), r, p), Buffer.from(salt), digestOf(digest)),
  },
  {
    form: formOf(
      String.raw`\$fbscrypt\$v=1,n=(\d{1,2}),r=${count},p=${count}(?:,ss=(${base64}))?,sk=(${base64})\$(${base64})\$(${base64})`,
    ),
    read: ([n, r, p, ...parts]) =>
      readFirebase(
        scryptCost(2 ** Number(n), r, p),
        parts.map((part) => bytesOf(part)),
      ),
  },
  {
    form: formOf(String.raw`\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?${count}(?:,l=\d+)?\$(${base64})\$(${base64})`),
    read: ([algorithm, iterations, salt = "", digest = ""]) =>
      readPbkdf2(algorithm || "sha1", Number(iterations), bytesOf(salt), digestOf(digest)),
  },
  {
    // Django's form, whose salt is text.
    form: formOf(String.raw`pbkdf2_(sha1|sha256)\$${count}\$([^$]+)\$(${base64})`),
    read: ([algorithm = "", iterations, salt = "", digest = ""]) =>
      readPbkdf2(algorithm, Number(iterations), Buffer.from(salt), digestOf(digest)),
  },
];

/** Longer than any of the forms. */
const longestHash = 1_024;

/** Returns the hash that the text stands for; undefined where it is no hash of a known kind. */
export function readStoredHash(stored: string): StoredHash | undefined {
  if (stored.length > longestHash) return undefined;
  for (const { form, read } of forms) {
    const match = form.exec(stored);
    if (match !== null) return read(match.slice(1).map((part) => part ?? ""));
  }
  return undefined;
}

import { randomBytes } from "node:crypto";

/** Each kind of key by its COSE algorithm. */
const algorithms = {
  ES256: { cose: -7, generate: { name: "ECDSA", namedCurve: "P-256" }, sign: { name: "ECDSA", hash: "SHA-256" } },
  EdDSA: { cose: -8, generate: { name: "Ed25519" }, sign: { name: "Ed25519" } },
  RS256: {
    cose: -257,
    generate: {
      name: "RSASSA-PKCS1-v1_5",
      hash: "SHA-256",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    sign: { name: "RSASSA-PKCS1-v1_5" },
  },
} as const;
export type Algorithm = keyof typeof algorithms;

export type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

function head(major: number, value: number): number[] {
  const type = major << 5;
  if (value < 24) return [type | value];
  return value < 256 ? [type | 24, value] : [type | 25, value >> 8, value & 255];
}

const isList = (value: Cbor): value is readonly Cbor[] => Array.isArray(value);

/** Encodes the part of CBOR (RFC 8949) that authenticators use. */
function cbor(value: Cbor): Uint8Array {
  if (typeof value === "number") return new Uint8Array(value < 0 ? head(1, -1 - value) : head(0, value));
  if (typeof value === "string") return Buffer.concat([new Uint8Array(head(3, value.length)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([new Uint8Array(head(2, value.byteLength)), value]);
  if (isList(value)) return Buffer.concat([new Uint8Array(head(4, value.length)), ...value.map(cbor)]);
  const parts = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([new Uint8Array(head(5, value.size)), ...parts]);
}

/** Converts an ECDSA signature to WebAuthn's form: two integers in DER. */
function derOf(signature: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array): Uint8Array => {
    const first = bytes.findIndex((byte) => byte !== 0);
    const short = bytes.subarray(first === -1 ? bytes.length - 1 : first);
    const positive = (short[0] ?? 0) > 127 ? Buffer.concat([new Uint8Array(1), short]) : short;
    return Buffer.concat([new Uint8Array([2, positive.length]), positive]);
  };
  const pair = Buffer.concat([integer(signature.subarray(0, 32)), integer(signature.subarray(32))]);
  return Buffer.concat([new Uint8Array([0x30, pair.length]), pair]);
}

const sha256 = (data: string | Uint8Array): Uint8Array => new Bun.CryptoHasher("sha256").update(data).digest();
const base64url = (data: string | Uint8Array): string => Buffer.from(data).toString("base64url");

/** Deviations of an authenticator or its browser from correct behaviour. */
export interface Tweaks {
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly rpId?: string;
  /** Whether the authenticator verified its user. Default true. */
  readonly verified?: boolean;
  readonly present?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly credentialId?: string;
  /** Signs with a stranger's key. */
  readonly forged?: boolean;
  readonly synced?: boolean;
  readonly aaguid?: string;
  readonly transports?: readonly string[];
  /** Changes to the attestation object. */
  readonly format?: string;
  readonly statement?: ReadonlyMap<string, Cbor>;
  /** Makes the statement of what is signed. */
  readonly attest?: (signed: Uint8Array) => ReadonlyMap<string, Cbor>;
}

interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}

interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
}

const has = <K extends string>(value: unknown, ...keys: readonly K[]): value is Record<K, unknown> =>
  typeof value === "object" && value !== null && keys.every((key) => key in value);
const isCreation = (value: unknown): value is CreationOptions =>
  has(value, "rp", "user", "challenge") && has(value.rp, "id") && has(value.user, "id");
const isRequest = (value: unknown): value is RequestOptions => has(value, "rpId", "challenge");

const noAaguid = "00000000-0000-0000-0000-000000000000";

/** A software authenticator with a browser around it. It holds one passkey, and deviates as told. */
export async function createAuthenticator(origin: string, algorithm: Algorithm = "ES256") {
  const { cose, generate, sign } = algorithms[algorithm];
  async function newKeys(): Promise<CryptoKeyPair> {
    const made = await crypto.subtle.generateKey(generate, true, ["sign", "verify"]);
    if ("publicKey" in made) return made;
    throw new Error("no pair of keys");
  }
  const [own, strange] = [await newKeys(), await newKeys()];
  const credentialId = base64url(randomBytes(16));
  let counter = 0;
  let handle = "";

  async function coseKey(): Promise<Uint8Array> {
    const { x = "", y = "", n = "", e = "" } = await crypto.subtle.exportKey("jwk", own.publicKey);
    const bytes = (text: string): Uint8Array => Buffer.from(text, "base64url");
    if (algorithm === "RS256")
      return cbor(new Map<number, Cbor>([[1, 3], [3, cose], [-1, bytes(n)], [-2, bytes(e)]])); // prettier-ignore
    if (algorithm === "EdDSA") return cbor(new Map<number, Cbor>([[1, 1], [3, cose], [-1, 6], [-2, bytes(x)]])); // prettier-ignore
    return cbor(new Map<number, Cbor>([[1, 2], [3, cose], [-1, 1], [-2, bytes(x)], [-3, bytes(y)]])); // prettier-ignore
  }

  function clientData(type: string, challenge: string, tweaks: Tweaks): Uint8Array {
    const { crossOrigin = false, topOrigin } = tweaks;
    return Buffer.from(
      JSON.stringify({
        type: tweaks.type ?? type,
        challenge: tweaks.challenge ?? challenge,
        origin: tweaks.origin ?? origin,
        crossOrigin,
        ...(topOrigin === undefined ? {} : { topOrigin }),
      }),
    );
  }

  function authenticatorData(rpId: string, attested: Uint8Array | undefined, tweaks: Tweaks): Uint8Array {
    const { verified = true, present = true, synced = false } = tweaks;
    const flags = [present ? 1 : 0, verified ? 4 : 0, synced ? 24 : 0, attested === undefined ? 0 : 64];
    const fixed = Buffer.alloc(37);
    fixed.set(sha256(tweaks.rpId ?? rpId));
    fixed[32] = flags.reduce((sum, flag) => sum + flag, 0);
    fixed.writeUInt32BE(tweaks.counter ?? counter, 33);
    return attested === undefined ? fixed : Buffer.concat([fixed, attested]);
  }

  async function signed(data: Uint8Array<ArrayBuffer>, forged: boolean): Promise<Uint8Array> {
    const key = forged ? strange.privateKey : own.privateKey;
    const signature = new Uint8Array(await crypto.subtle.sign(sign, key, data));
    return algorithm === "ES256" ? derOf(signature) : signature;
  }

  const published = (response: object, tweaks: Tweaks) => {
    const id = tweaks.credentialId ?? credentialId;
    return {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      authenticatorAttachment: "platform",
      response,
    };
  };

  return {
    credentialId,

    /** `navigator.credentials.create`, in its JSON form. */
    async create(options: unknown, tweaks: Tweaks = {}) {
      if (!isCreation(options)) throw new Error("no creation options");
      handle = options.user.id;
      const id = Buffer.from(tweaks.credentialId ?? credentialId, "base64url");
      const attested = Buffer.concat([
        Buffer.from((tweaks.aaguid ?? noAaguid).replaceAll("-", ""), "hex"),
        new Uint8Array([id.length >> 8, id.length & 255]),
        id,
        await coseKey(),
      ]);
      const client = clientData("webauthn.create", options.challenge, tweaks);
      const authData = authenticatorData(options.rp.id, attested, tweaks);
      const object = new Map<string, Cbor>([
        ["fmt", tweaks.format ?? "none"],
        ["attStmt", tweaks.attest?.(Buffer.concat([authData, sha256(client)])) ?? tweaks.statement ?? new Map()],
        ["authData", authData],
      ]);
      return published(
        {
          clientDataJSON: base64url(client),
          attestationObject: base64url(cbor(object)),
          transports: tweaks.transports ?? ["internal"],
        },
        tweaks,
      );
    },

    /** `navigator.credentials.get`, in its JSON form. Each use is counted, unless the tweaks set the counter. */
    async get(options: unknown, tweaks: Tweaks = {}) {
      if (!isRequest(options)) throw new Error("no request options");
      counter += 1;
      const client = clientData("webauthn.get", options.challenge, tweaks);
      const data = authenticatorData(options.rpId, undefined, tweaks);
      const signature = await signed(Buffer.concat([data, sha256(client)]), tweaks.forged ?? false);
      const { userHandle = handle } = tweaks;
      return published(
        {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          ...(userHandle === null ? {} : { userHandle }),
        },
        tweaks,
      );
    },
  };
}

export type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>;

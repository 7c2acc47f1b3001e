import type { KeyObject } from "node:crypto";
import { nodeCrypto } from "../../../core/crypto.ts";
import type { Kind } from "./kinds.ts";

/** Turns `\n` into line breaks, which not every kind of environment can hold. */
const withLineBreaks = (pem: string): string => pem.replaceAll("\\n", "\n");

interface PemBlock {
  readonly label: string;
  readonly text: string;
}

/** Returns the PEM blocks of the text (RFC 7468), in order. */
const blocksOf = (text: string): readonly PemBlock[] =>
  [...withLineBreaks(text).matchAll(/-----BEGIN ([A-Z\d ]+)-----[^-]*(?:-[^-]+)*-----END \1-----/g)].map(
    ([block, label = ""]) => ({ label, text: block }),
  );

/** What keys a variable takes. */
interface Suit {
  /** Says why a kind of key is unsuitable; undefined for a suitable one. */
  readonly complaint: (key: KeyObject) => string | undefined;
  readonly words: string;
  /** The variable with the public halves of earlier keys. */
  readonly previous: string;
}

const shortestModulus = 2_048;
/** More would only cost: a signature by 4096 bits takes six times as long as one by 2048. */
const longestModulus = 4_096;

const elliptic: Suit = {
  complaint({ asymmetricKeyType: type, asymmetricKeyDetails: details }) {
    if (type === "ed25519" || (type === "ec" && details?.namedCurve === "prime256v1")) return undefined;
    const found = type === "ec" ? `on the curve ${details?.namedCurve}` : `of the kind ${type?.toUpperCase()}`;
    return `is a key ${found}: only Ed25519 and P-256 keys sign tokens`;
  },
  words: "an Ed25519 or P-256",
  previous: "API_JWT_PREVIOUS_PUBLIC_KEYS",
};

const rsa: Suit = {
  complaint({ asymmetricKeyType: type, asymmetricKeyDetails: details }) {
    if (type !== "rsa") return `is a key of the kind ${type?.toUpperCase()}: RS256 takes an RSA key`;
    const bits = details?.modulusLength ?? 0;
    return bits < shortestModulus || bits > longestModulus
      ? `has ${bits} bits: an RSA key that signs tokens has ${shortestModulus} to ${longestModulus}`
      : undefined;
  },
  words: "an RSA",
  previous: "IDP_PREVIOUS_RSA_PUBLIC_KEYS",
};

function readKey(suit: Suit, read: () => KeyObject): string | undefined {
  try {
    return suit.complaint(read());
  } catch {
    return "is damaged: no key can be read from it";
  }
}

const isPrivate = ({ label }: PemBlock): boolean => label.endsWith("PRIVATE KEY");

function privateKeyComplaint(suit: Suit, value: string): string | undefined {
  const notPkcs8 = `must be ${suit.words} private key in PEM form (PKCS #8)`;
  const blocks = blocksOf(value);
  const [block, another] = blocks.filter(isPrivate);
  if (block === undefined)
    return blocks.some(({ label }) => label.endsWith("PUBLIC KEY"))
      ? "is a public key: the private one signs"
      : value.startsWith("/")
        ? `${notPkcs8}: a path goes into the variable of this name with _FILE behind it`
        : notPkcs8;
  if (another !== undefined) return `holds more than one key: of earlier ones ${suit.previous} has the public halves`;
  if (block.label === "ENCRYPTED PRIVATE KEY" || block.text.includes("Proc-Type: 4,ENCRYPTED"))
    return "is encrypted: give it without a passphrase";
  if (block.label === "OPENSSH PRIVATE KEY") return notPkcs8;
  const complaint = readKey(suit, () => nodeCrypto().createPrivateKey(block.text));
  if (complaint === undefined && block.label !== "PRIVATE KEY")
    return "is not in PKCS #8 form: convert it with openssl pkcs8 -topk8 -nocrypt";
  return complaint;
}

const privateKeyOf = (suit: Suit): Kind<string> => ({
  complaint: (value) => privateKeyComplaint(suit, value),
  read: (value) => blocksOf(value).find(isPrivate)?.text ?? "",
  lines: "kept",
});

/** A private key that signs tokens with EdDSA (RFC 8037) or ES256 (RFC 7518 §3.4), as PKCS #8 in PEM. */
export const signingKey = privateKeyOf(elliptic);
/** A private key that signs tokens with RS256 (RFC 7518 §3.3), as PKCS #8 in PEM. */
export const rsaKey = privateKeyOf(rsa);

function publicKeysComplaint(suit: Suit, value: string): string | undefined {
  const blocks = blocksOf(value);
  if (blocks.some(isPrivate)) return "holds a private key: give the public halves alone";
  const between = blocks.reduce((text, block) => text.replace(block.text, ""), withLineBreaks(value));
  if (blocks.some(({ label }) => label !== "PUBLIC KEY") || /[^\s,]/.test(between))
    return "must be public keys in PEM form (SPKI), one after the other";
  const complaints = blocks.map(({ text }) => readKey(suit, () => nodeCrypto().createPublicKey(text)));
  const first = complaints.findIndex((complaint) => complaint !== undefined);
  return first < 0 ? undefined : `is wrong in key ${first + 1}, which ${complaints[first]}`;
}

const publicKeysOf = (suit: Suit): Kind<readonly string[]> => ({
  complaint: (value) => publicKeysComplaint(suit, value),
  read: (value) => blocksOf(value).map(({ text }) => text),
});

/** Public keys for the same algorithms, as SPKI in PEM. */
export const publicKeys = publicKeysOf(elliptic);
export const rsaPublicKeys = publicKeysOf(rsa);

function isCertificate({ label, text }: PemBlock): boolean {
  try {
    return label === "CERTIFICATE" && new (nodeCrypto().X509Certificate)(text).ca;
  } catch {
    return false;
  }
}

/** Certificates of authorities in PEM, one after the other. */
export const authorities: Kind<readonly string[]> = {
  complaint(value) {
    const blocks = blocksOf(value);
    const wrong = blocks.findIndex((block) => !isCertificate(block));
    if (blocks.length === 0) return "must be certificates in PEM form, one after the other";
    return wrong < 0 ? undefined : `is wrong in certificate ${wrong + 1}, which is none of an authority`;
  },
  read: (value) => blocksOf(value).map(({ text }) => text),
};

function isP256Key(value: string): boolean {
  try {
    const key = nodeCrypto().createPrivateKey(withLineBreaks(value));
    return value.includes("BEGIN PRIVATE KEY") && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}

/** A private key for ES256 (RFC 7518 §3.4), as PKCS #8 in PEM. */
export const p256Key: Kind<string> = {
  complaint: (value) => (isP256Key(value) ? undefined : "must be a P-256 private key in PEM form (PKCS #8)"),
  read: withLineBreaks,
  lines: "kept",
};

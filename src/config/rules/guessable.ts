import { nodeCrypto } from "../../core/crypto.ts";

/** The prefix of every secret that a local start generates. */
export const generatedMark = "local-only-";

const placeholder =
  /^<.*>$|^(?:change.?(?:me|this|it)|secret|password|example|placeholder|your[-_ ].*|todo|xxx+|test|default)\W*$/is;
// Words of examples in tutorials and sample files, and of secrets that people type instead of generating one.
const telltale =
  /change.?(?:me|this)|replace.?me|placeholder|example|insecure|default|secret|password|^your[-_ ]|^test/i;

export const isPlaceholder = (value: string): boolean => placeholder.test(value.trim());

/** Whether most characters follow their predecessor in the alphabet, as in `abcdefgh…` and `01234567…`. */
function isSequence(secret: string): boolean {
  let steps = 0;
  for (let index = 1; index < secret.length; index += 1) {
    if (secret.charCodeAt(index) - secret.charCodeAt(index - 1) === 1) steps += 1;
  }
  return steps > secret.length * 0.7;
}

/** Whether a secret was typed or copied, not generated: a known example, few different characters, a repetition or a sequence. */
export const isGuessable = (secret: string): boolean =>
  isPlaceholder(secret) ||
  telltale.test(secret) ||
  new Set(secret).size < 8 ||
  `${secret}${secret}`.indexOf(secret, 1) < secret.length ||
  isSequence(secret);

/**
 * First coordinates, or beginnings of the moduli, of well-known keys: RFC 7515 §A.3, RFC 7517 §A.2, RFC 8037 §A.1, the key that jwt.io
 * shows for ES256, and for RS256 those of RFC 7515 §A.2, RFC 7517 §A.2 and jwt.io.
 */
const exampleKeys = new Set([
  "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
  "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  "EVs_o5-uQbTjL3chynL4wXgUg2R9q9UU8I5mEovUf84",
  "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTb",
  "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbW",
  "u1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffA",
]);

const exampleLength = 43;

/** Whether the private half of a key, private or public, is published in a document that people copy from. */
export function isExampleKey(pem: string): boolean {
  const { x, n } = nodeCrypto().createPublicKey(pem).export({ format: "jwk" });
  return exampleKeys.has(x ?? n?.slice(0, exampleLength) ?? "");
}

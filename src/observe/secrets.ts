export const mask = "[redacted]";

const secretWords = new Set(
  "pass pwd passphrase refresh access hash hashes otp pin mac nonce verifier bearer csrf salt diag jwt".split(" "),
);
const secretInside = /passw(?:or)?d|secret|token|authorization|cookie|credential|signature/;
const secretPair = /(?:^|_)(?:api|app|private|secret|signing|encryption|session|jwt)_?keys?(?:_|$)/;
const moment = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;
const duration = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

/** Whether the value under this key is a secret. Counts, switches, times and durations are none, such as `refresh_rotated_at`. */
export function isSecretField(key: string, value: unknown): boolean {
  if (value === null || value === undefined || value === "") return false;
  const name = key
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "_");
  const words = name.split("_");
  const isSecret = secretInside.test(name) || secretPair.test(name) || words.some((word) => secretWords.has(word));
  if (!isSecret) return false;
  if (typeof value === "boolean") return false;
  if (typeof value === "number") return words.includes("otp") || words.includes("pin");
  return !(typeof value === "string" && (moment.test(value) || duration.test(value)));
}

// Patterns of secrets in running text. The order matters: a part of a refresh token looks like another token.
const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g, mask],
  [/\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(["']?\s*:\s*)[^\r\n]+/gi, `$1$2${mask}`],
  [/\b(Bearer\s+)[\w.~+/=-]+/gi, `$1${mask}`],
  [/\b(Basic\s+)(?=[a-z+/]*[A-Z\d=])[A-Za-z\d+/]{4,}={0,2}/g, `$1${mask}`],
  [/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#@]+@/gi, `$1${mask}@`],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.\d+\.[\w-]{20,}(?:\.[\w-]+)?/gi, mask],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)*/g, mask],
  // PHC strings, bcrypt hashes and Django's hashes. Parameters hold commas; base64 holds + and /.
  [/\b(?:pbkdf2_[a-z\d]{1,10}|scrypt)\$\d{1,10}\$[\w$=,./+-]+/g, mask],
  [/\$(?:argon2(?:id|i|d)|(?:fb)?scrypt|pbkdf2[\w-]*|2[abxy]?)\$[\w$=,./+-]+/g, mask],
  [
    /(^|[^a-z\d])((?:[a-z]{1,30}[_-]){0,4}(?:token|secret|password|passwd|jwt|signature|api[_-]?key|auth_access|auth_refresh|auth_challenge)=)[^&\s"'<>;,)]+/gi,
    `$1$2${mask}`,
  ],
  [/([?&](?:code|state|nonce|code_verifier)=)[^&\s"'<>]+/gi, `$1${mask}`],
  [/("[\w-]{0,40}(?:password|passwd|token|secret|api_?key|authorization|cookie)\\?"\s*:\s*\\?")[^"\\]+/gi, `$1${mask}`],
  // A personal token, whatever characters it has.
  [/\bghp_[\w-]{8,}/g, mask],
  // The secret of a service, whatever characters it has.
  [/\bgh_[\w-]{8,}/g, mask],
  // 256 bits or more as base64url, base64 or hexadecimal.
  [/(?<![\w-])(?=[\w-]*[A-Z])[\w-]{43,}(?![\w-])/g, mask],
  [/(?<![\w+/=-])[A-Za-z\d+/]{43}=/g, mask],
  [/(?<![\w-])[\da-f]{64,}(?![\w-])/gi, mask],
];

const shortestKnown = 6;

/** Masks secrets in text by pattern, and configured secrets by value, also in the forms that they take inside URLs and JSON. */
export function createMasker(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= shortestKnown)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)]);
  const known = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const form of known) clean = clean.replaceAll(form, mask);
    for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
    return clean;
  };
}

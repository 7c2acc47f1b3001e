const secretKey =
  /pass(?:word|phrase)?|secret|token|authorization|cookie|credential|api[-_]?key|private[-_]?key|jwt|(?:^|[-_])(?:otp|pin|mac|hash)$|Hash$|diag/i;
// Longest first: a refresh token holds what looks like a token of its own.
const secretPatterns = [
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\d+\.[\w-]{43}\.[\w-]{43}/g,
  /eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g,
  /\$(?:argon2(?:id|i|d)|scrypt|2[abxy]?)\$[^\s"',]+/g,
  /(?<=\b(?:Bearer|Basic)\s+)[\w.~+/=-]+/gi,
  /(?<=[?&;\s](?:token|code|state|password|secret)=)[^\s&"'<]+/gi,
  /(?<![\w-])[\w-]{43}(?![\w-])/g,
] as const;
// C0 and C1 controls, line separators and the bidirectional overrides that make a line read as another (CVE-2021-42574).
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const mask = "[redacted]";
const maxDepth = 6;
const maxItems = 50;
const maxText = 4_000;

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

const escapeUnprintable = (character: string): string => {
  if (character === "\n") return "\\n";
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
};

/**
 * Makes any value fit to be logged: secrets gone by key, by pattern and by value (SEED §5.10), control characters escaped,
 * depth, width and length bounded. Never throws.
 */
export function createRedactor(secrets: readonly string[]) {
  const known = secrets.filter((secret) => secret.length >= 8).toSorted((a, b) => b.length - a.length);

  function text(value: string): string {
    let clean = value.length > maxText ? `${value.slice(0, maxText)}…` : value;
    for (const secret of known) clean = clean.replaceAll(secret, mask);
    for (const pattern of secretPatterns) clean = clean.replace(pattern, mask);
    return clean.replace(unprintable, escapeUnprintable);
  }

  const ofError = (error: Error, depth: number): Plain => ({
    name: text(error.name),
    message: text(error.message),
    ...(error.stack === undefined ? {} : { stack: text(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: plain(error.cause, depth + 1) }),
  });

  const ofObject = (value: object, depth: number): Readonly<Record<string, Plain>> =>
    Object.fromEntries(
      Object.entries(value)
        .slice(0, maxItems)
        .map(([key, item]) => [text(key), secretKey.test(key) && item != null ? mask : plain(item, depth + 1)]),
    );

  function plain(value: unknown, depth: number): Plain {
    if (value === null || value === undefined) return null;
    if (typeof value === "string") return text(value);
    if (typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    if (typeof value !== "object") return text(String(value));
    if (depth > maxDepth) return "[deeper]";
    if (value instanceof Error) return ofError(value, depth);
    if (value instanceof Date || value instanceof URL) return text(String(value));
    if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => plain(item, depth + 1));
    return ofObject(value, depth);
  }

  return {
    text,
    /** Later fields win. */
    fields(...sets: readonly object[]): Readonly<Record<string, Plain>> {
      try {
        return ofObject(Object.assign({}, ...sets), 0);
      } catch {
        // A getter or a toString of the value threw: the line matters more than the field.
        return { fields: "[not printable]" };
      }
    },
  };
}

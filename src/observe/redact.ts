import { createMasker, isSecretField, mask } from "./secrets.ts";

// Control characters of C0 and C1, line separators, and the bidirectional overrides that make one line read as another (CVE-2021-42574).
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const named: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

const maxDepth = 6;
const maxItems = 50;
const maxText = 4_000;
/** How many characters beyond the kept part of a text are masked as well, so that no secret is cut in half and missed. */
const overlap = 1_000;
/** The most values and characters of one entry. */
const maxValues = 500;
const maxCharacters = 32_000;
// The only fields of an error that are shown: other fields may hold data of a client.
const errorFields = ["code", "errno", "syscall", "reason", "status", "address", "port", "signal"] as const;

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

interface Budget {
  values: number;
  characters: number;
}

const escapeUnprintable = (character: string): string =>
  named.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Makes any value fit to be logged: masks secrets by key, by pattern and by value, escapes control characters, and bounds depth, width and
 * length. Never throws.
 */
export function createRedactor(secrets: readonly string[]) {
  const maskSecrets = createMasker(secrets);

  /** Masks before it cuts: the masker would not recognise half a secret. */
  function text(value: string, longest = maxText): string {
    if (value.length <= longest) return maskSecrets(value).replace(unprintable, escapeUnprintable);
    const masked = maskSecrets(value.slice(0, longest + overlap));
    const whole = value.length > longest + overlap ? masked.length - overlap : masked.length;
    const kept = masked.slice(0, Math.max(0, Math.min(longest, whole)));
    return `${kept.replace(unprintable, escapeUnprintable)}…`;
  }

  function spend(budget: Budget, value: string): string {
    if (budget.characters <= 0) return "[more]";
    const clean = text(value);
    budget.characters -= clean.length;
    return clean;
  }

  const ofError = (error: Error, depth: number, budget: Budget): Plain => ({
    name: spend(budget, error.name),
    message: spend(budget, error.message),
    ...Object.fromEntries(
      errorFields.flatMap((key) => {
        const value: unknown = Reflect.get(error, key);
        return typeof value === "string" || typeof value === "number" ? [[key, plain(value, depth + 1, budget)]] : [];
      }),
    ),
    ...(typeof error.stack === "string" ? { stack: spend(budget, error.stack) } : {}),
    ...(error instanceof AggregateError ? { errors: plain(error.errors, depth + 1, budget) } : {}),
    ...(error.cause === undefined ? {} : { cause: plain(error.cause, depth + 1, budget) }),
  });

  const ofEntries = (
    entries: readonly (readonly [string, unknown])[],
    depth: number,
    budget: Budget,
  ): Readonly<Record<string, Plain>> =>
    Object.fromEntries(
      entries
        .slice(0, maxItems)
        .map(([key, item]) => [spend(budget, key), isSecretField(key, item) ? mask : plain(item, depth + 1, budget)]),
    );

  function ofObject(value: object, depth: number, budget: Budget): Plain {
    if (value instanceof Error) return ofError(value, depth, budget);
    if (value instanceof Date || value instanceof URL) return spend(budget, String(value));
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      const [name, second] = items;
      // A header may be a pair of name and value.
      if (items.length === 2 && typeof name === "string" && isSecretField(name, second))
        return [spend(budget, name), mask];
      return items.slice(0, maxItems).map((item) => plain(item, depth + 1, budget));
    }
    if (value instanceof Map || value instanceof Headers || value instanceof URLSearchParams) {
      const entries: readonly [unknown, unknown][] = [...value.entries()];
      return ofEntries(
        entries.map(([key, item]) => [String(key), item]),
        depth,
        budget,
      );
    }
    if (value instanceof Set) return [...value].slice(0, maxItems).map((item) => plain(item, depth + 1, budget));
    return ofEntries(ownEntries(value), depth, budget);
  }

  function plain(value: unknown, depth: number, budget: Budget): Plain {
    budget.values -= 1;
    if (budget.values < 0) return "[more]";
    if (value === null || value === undefined) return null;
    if (typeof value === "string") return spend(budget, value);
    if (typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    if (typeof value === "bigint" || typeof value === "symbol") return spend(budget, value.toString());
    if (typeof value !== "object") return "[function]";
    if (depth > maxDepth) return "[deeper]";
    try {
      return ofObject(value, depth, budget);
    } catch {
      // A getter, a proxy or toString of the value threw. The line matters more than the field.
      return "[not printable]";
    }
  }

  return {
    text,
    /** Merges the fields of all sets. Where fields share a name, the later one wins. */
    fields(...sets: readonly object[]): Readonly<Record<string, Plain>> {
      const entries = new Map(sets.flatMap((set) => ownEntries(set)));
      return ofEntries([...entries], 0, { values: maxValues, characters: maxCharacters });
    },
  };
}

/** Reads the fields one by one, so that a getter that throws costs its own field only. */
const ownEntries = (value: object): [string, unknown][] =>
  Object.keys(value)
    .slice(0, maxItems)
    .map((key) => {
      try {
        return [key, Reflect.get(value, key)];
      } catch {
        return [key, "[not printable]"];
      }
    });

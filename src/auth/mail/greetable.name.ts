const longest = 60;
const lineBreaks = /[\p{Cc}\u2028\u2029]/u;
/** Text that a mail client could make a link of, or a reader take for one: a scheme, a path, an address, a domain. */
const linkLike = /[:/\\@<>[\]]|www\.|(?:^|[\p{L}\p{N}-])\.\p{L}{2,}/iu;

/**
 * Returns the display name as a mail may greet with it; undefined where it is more than a name. People choose their display names, and so
 * words that this service would send: "Your prize waits at prize.example" must not come from it.
 */
export function greetableName(displayName: string): string | undefined {
  // Full-width and other variants of dots and colons look, and are linked, like the plain ones.
  const plain = displayName.normalize("NFKC").replaceAll(/[\u3002\uff61\u2024]/g, ".");
  if ([...displayName].length > longest || lineBreaks.test(displayName) || linkLike.test(plain)) return undefined;
  return displayName.trim() === "" ? undefined : displayName;
}

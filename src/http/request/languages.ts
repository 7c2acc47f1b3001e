import { preferencesIn } from "./accept.ts";

/** Returns the tags of an Accept-Language header, the most wanted first (RFC 9110 §12.5.4). */
export const preferredTags = (header: string): readonly string[] =>
  preferencesIn(header)
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ value }) => value);

const longestTag = 64;

/** Returns the most wanted language tag (BCP 47) in canonical form; null where there is none. `*` and misspelt tags are passed over. */
export function preferredLocale({ headers }: Request): string | null {
  const header = headers.get("accept-language");
  if (header === null) return null;
  for (const wanted of preferredTags(header)) {
    const tag = canonicalTag(wanted);
    if (tag !== undefined && tag.length <= longestTag) return tag;
  }
  return null;
}

function canonicalTag(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).toString();
  } catch {
    return undefined;
  }
}

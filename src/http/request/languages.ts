import { preferencesIn } from "./accept.ts";

/** The tags of an Accept-Language header, the most wanted first (RFC 9110 §12.5.4). */
export const preferredTags = (header: string): readonly string[] =>
  preferencesIn(header)
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ value }) => value);

const longestTag = 64;

/** The first of them that is a language tag (BCP 47), in canonical form: `*` and what is misspelt say nothing. */
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

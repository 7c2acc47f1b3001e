const primaryOf = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";

/**
 * Returns the first of a reader's tags (BCP 47) that is among the languages: the same tag, or one of the same language in another region,
 * such as `pt-BR` for `pt`. English where there is none.
 */
export function pickLanguage(tags: readonly string[], languages: readonly string[]): string {
  for (const tag of tags) {
    const exact = languages.find((each) => each.toLowerCase() === tag.toLowerCase());
    const near = languages.find((each) => primaryOf(each) === primaryOf(tag));
    const found = exact ?? near;
    if (found !== undefined) return found;
  }
  return "en";
}

/** Whether a text has the form of a tag (BCP 47). Times and numbers can be written by no other, and anybody may send one. */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** Returns the tag by which times and numbers are written: that of the reader's region, such as `de-AT`, where one is known. */
export const regionalTag = (language: string, tags: readonly string[]): string =>
  tags.find((tag) => tag.includes("-") && primaryOf(tag) === primaryOf(language) && isTag(tag)) ?? language;

/** What a closed set of names means in words. A name of another release, which the set does not have, stands for itself. */
export const inWords = (words: Readonly<Record<string, string>>, name: string): string =>
  (Object.hasOwn(words, name) ? words[name] : undefined) ?? name;

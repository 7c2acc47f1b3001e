/** Returns the wording of a name from a closed set. A name that only another release knows stands for itself. */
export const inWords = (words: Readonly<Record<string, string>>, name: string): string =>
  (Object.hasOwn(words, name) ? words[name] : undefined) ?? name;

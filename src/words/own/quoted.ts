const mostQuoted = 60;

/** Writes a text of a file so that no terminal and no log obeys it. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > mostQuoted ? `${text.slice(0, mostQuoted).toWellFormed()}…` : text).replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );

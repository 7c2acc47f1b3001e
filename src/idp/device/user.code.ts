/** Letters that make no word, and that nobody takes for another one (RFC 8628 §6.1). */
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const length = 8;
/** Bytes from here on are thrown away, so that each letter is as likely as another. */
const evenBytes = 256 - (256 % letters.length);

/** Makes a code that somebody copies from one screen to another: eight letters. */
export function newUserCode(): string {
  let code = "";
  while (code.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2)))
      if (byte < evenBytes && code.length < length) code += letters[byte % letters.length] ?? "";
  return code;
}

/** Reads a code as people type it: small letters, spaces and any marks between. Undefined for what can be none. */
export function readUserCode(typed: string): string | undefined {
  if (typed.length > 64) return undefined;
  const code = typed.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? code : undefined;
}

/** Writes a code in two halves, which is easier to copy. */
export const writeUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

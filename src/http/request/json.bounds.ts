/** The most names and list entries of a body; no body of ours has as many. */
const mostItems = 512;
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Says why a JSON text is not worth parsing: its bytes tell its depth and its number of items. Parsing and copying thousands of nested
 * lists or unknown names takes milliseconds; this check takes microseconds. Undefined for a text that may be parsed, valid or not.
 */
export function excessIn(bytes: Uint8Array, deepestLevel: number): string | undefined {
  let [depth, items, isString] = [0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isString = false;
      continue;
    }
    if (byte === quote) isString = true;
    else if (byte === comma || byte === colon) items += 1;
    else if (opening.has(byte)) depth += 1;
    else if (closing.has(byte)) depth -= 1;
    if (depth > deepestLevel) return `The body is nested more than ${deepestLevel} levels deep.`;
    if (items > 2 * mostItems) return `The body has more than ${mostItems} names and entries.`;
  }
  return undefined;
}

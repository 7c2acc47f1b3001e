const space = /[ \t\n\r]*/y;
const literal = /true|false|null/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// A string without its closing quote, so that a match ends at the first character that can't be part of the string.
const openString = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;

/**
 * Returns where a text stops being JSON (RFC 8259): the first wrong character, or the end of the text where it is cut short. JSON.parse
 * tells no place. Lines and columns count from 1, columns in characters. The search ends below the deepest level.
 */
export function jsonFaultIn(text: string, deepestLevel: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, createReader(text, deepestLevel).faultAt());
  const lines = before.split("\n");
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}

function createReader(text: string, deepestLevel: number) {
  let at = 0;

  function take(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  }

  function takeCharacter(character: string): boolean {
    if (text[at] !== character) return false;
    at += 1;
    return true;
  }

  /** Skips spaces, then takes the sign. */
  const takeSign = (sign: string): boolean => take(space) && takeCharacter(sign);

  // Each reader stops at the first fault, where `at` then stands, and returns whether there was none.
  const readString = (): boolean => take(openString) && takeCharacter('"');
  const readMember = (depth: number): boolean => take(space) && readString() && takeSign(":") && readValue(depth);

  function readList(close: string, readItem: (depth: number) => boolean, depth: number): boolean {
    if (takeSign(close)) return true;
    do {
      if (!readItem(depth)) return false;
    } while (takeSign(","));
    return takeSign(close);
  }

  function readValue(depth: number): boolean {
    take(space);
    if (text[at] === '"') return readString();
    if (depth < deepestLevel && takeCharacter("{")) return readList("}", readMember, depth + 1);
    if (depth < deepestLevel && takeCharacter("[")) return readList("]", readValue, depth + 1);
    return take(literal) || take(number);
  }

  return {
    faultAt(): number {
      if (readValue(0)) take(space);
      return at;
    },
  };
}

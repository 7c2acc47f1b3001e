import { quoted } from "./quoted.ts";

/** A key of a flat JSON object with its text, and the line that has it. `text` is undefined where the value is no text. */
export interface Entry {
  readonly line: number;
  readonly key: string;
  readonly text: string | undefined;
}

export interface FlatJson {
  readonly entries: readonly Entry[];
  /** Where the text stops to be the JSON of one object, and why. What stands before it was read. */
  readonly broken?: { readonly line: number; readonly says: string };
}

const blanks = /[ \t\n\r]*/y;
const otherValue = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null)/y;

class Broken extends Error {
  readonly at: number;

  constructor(says: string, at: number) {
    super(says);
    this.at = at;
  }
}

/**
 * Reads the text of a JSON object of texts, every entry with its line. `JSON.parse` would name no line, and of a key that is there twice it
 * would drop the first text in silence. What follows a mistake of the form is not read.
 */
export function readFlatJson(text: string): FlatJson {
  const entries: Entry[] = [];
  let at = 0;
  let line = 1;

  /** Moves over what the expression matches here, and returns it; undefined where nothing does. */
  function take(expression: RegExp): string | undefined {
    expression.lastIndex = at;
    const [found] = expression.exec(text) ?? [];
    if (found !== undefined) move(found.length);
    return found;
  }
  function move(length: number): void {
    for (let index = at; index < at + length; index += 1) if (text[index] === "\n") line += 1;
    at += length;
  }
  function expect(sign: string, says: string): void {
    take(blanks);
    if (text[at] !== sign) throw new Broken(says, at);
    move(1);
  }
  /** Takes a string (RFC 8259 §7). It is found by its end first, so that none takes longer than it is long. */
  function takeString(what: string): string {
    if (text[at] !== '"') throw new Broken(`${what} has to stand here, in quotes`, at);
    let end = at + 1;
    while (text[end] !== '"') {
      if (text[end] === undefined || text[end] === "\n") throw new Broken(`${what} does not end on its line`, at);
      end += text[end] === "\\" ? 2 : 1;
    }
    const found = text.slice(at, end + 1);
    move(found.length);
    try {
      const read: unknown = JSON.parse(found);
      return String(read);
    } catch {
      throw new Broken(`${what} has a control character, or a backslash that means nothing there`, at);
    }
  }
  /** Moves over an object or a list, however deep, without looking at what it holds. */
  function skipNested(): void {
    let depth = 0;
    do {
      const sign = text[at];
      if (sign === undefined) throw new Broken("the file ends within a value", at);
      if (sign === '"') takeString("a text");
      else {
        depth += sign === "{" || sign === "[" ? 1 : sign === "}" || sign === "]" ? -1 : 0;
        move(1);
      }
    } while (depth > 0);
  }
  function takeValue(key: string): string | undefined {
    const sign = text[at];
    if (sign === '"') return takeString(`the text of ${quoted(key)}`);
    if (sign === "{" || sign === "[") skipNested();
    else if (take(otherValue) === undefined)
      throw new Broken(`the text of ${quoted(key)} has to stand here, in quotes`, at);
    return undefined;
  }
  function takeEntries(): void {
    expect("{", "the file has to begin with {");
    take(blanks);
    if (text[at] === "}") return move(1);
    for (;;) {
      take(blanks);
      const begins = line;
      const key = takeString("a key");
      expect(":", "a colon has to follow the key");
      take(blanks);
      entries.push({ line: begins, key, text: takeValue(key) });
      take(blanks);
      const sign = text[at];
      if (sign !== "," && sign !== "}") throw new Broken("a comma or } has to follow the text", at);
      move(1);
      if (sign === "}") return;
    }
  }

  try {
    takeEntries();
    take(blanks);
    if (at < text.length) throw new Broken("nothing may follow the last }", at);
    return { entries };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { entries, broken: { line, says: error.message } };
  }
}

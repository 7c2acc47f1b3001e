/** A pitfall of a line that sets its variable, but probably not as meant. */
export type Flaw =
  /** Blanks beside the `=`: systemd drops them, podman and docker keep them. */
  | "blanks"
  /** A `#` after a blank, which starts no comment there. */
  | "comment"
  /** A quote that is never closed: the rest of the file is in the value. */
  | "unclosed";

export interface Assignment {
  /** The line of the name, counted from 1. */
  readonly line: number;
  readonly name: string;
  readonly value: string;
  readonly flaws: ReadonlySet<Flaw>;
}

/** A line that sets nothing. */
export interface Unread {
  readonly line: number;
  readonly why: "no assignment" | "exported" | "no name";
}

export interface EnvironmentFile {
  readonly assignments: readonly Assignment[];
  readonly unread: readonly Unread[];
}

const isBlank = (sign: string | undefined): boolean => sign === " " || sign === "\t";
const isLineEnd = (sign: string | undefined): boolean => sign === undefined || sign === "\n" || sign === "\r";
const validName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Characters that a backslash escapes in double quotes. Before any other, the backslash stays. */
const escapedInQuotes = /["\\`$]/;

interface Value {
  readonly value: string;
  readonly flaws: ReadonlySet<Flaw>;
  /** The offset at which the value ends: at a line end, or after the text. */
  readonly end: number;
}

/** Reads a file of settings as systemd does for `EnvironmentFile=` (systemd.exec(5)). Other readers interpret some lines differently. */
export function readEnvironmentFile(text: string): EnvironmentFile {
  const assignments: Assignment[] = [];
  const unread: Unread[] = [];
  let line = 1;
  for (let at = 0; at < text.length; at += 1) {
    const begin = at;
    while (isBlank(text[at])) at += 1;
    const isComment = text[at] === "#" || text[at] === ";";
    const nameAt = at;
    while (!isLineEnd(text[at]) && (isComment || text[at] !== "=")) at += 1;
    const written = text.slice(nameAt, at);
    if (!isComment && text[at] === "=") {
      const read = readValue(text, at + 1);
      at = read.end;
      const found = assignmentOf(written, read, line);
      if ("why" in found) unread.push(found);
      else assignments.push(found);
    } else if (!isComment && written !== "") unread.push({ line, why: "no assignment" });
    line += text.slice(begin, at + 1).split("\n").length - 1;
  }
  return { assignments, unread };
}

function assignmentOf(written: string, { value, flaws }: Value, line: number): Assignment | Unread {
  const name = written.trimEnd();
  if (!validName.test(name)) return { line, why: /^export[ \t]/.test(name) ? "exported" : "no name" };
  return { line, name, value, flaws: name === written ? flaws : new Set([...flaws, "blanks"]) };
}

/** Reads the value after the `=`: quoted parts, then an unquoted part up to a line end that no backslash continues. */
function readValue(text: string, begin: number): Value {
  const flaws = new Set<Flaw>();
  let value = "";
  let at = begin;
  for (;;) {
    const blanksAt = at;
    while (isBlank(text[at])) at += 1;
    const quote = text[at];
    if (isLineEnd(quote)) return { value, flaws, end: at };
    if (at > blanksAt && blanksAt === begin) flaws.add("blanks");
    if (quote !== '"' && quote !== "'") {
      const plain = readPlain(text, at);
      const isComment = at > blanksAt ? /(?:^|[ \t])#/ : /[ \t]#/;
      if (isComment.test(plain.value)) flaws.add("comment");
      return { value: value + plain.value, flaws, end: plain.end };
    }
    const quoted = readQuoted(text, at + 1, quote);
    value += quoted.value;
    at = quoted.end;
    if (quoted.isClosed) continue;
    flaws.add("unclosed");
    return { value, flaws, end: at };
  }
}

function readPlain(text: string, begin: number): { readonly value: string; readonly end: number } {
  let value = "";
  /** The length of the value without trailing blanks. */
  let length = 0;
  let at = begin;
  for (; !isLineEnd(text[at]); at += 1) {
    const isEscape = text[at] === "\\";
    if (isEscape) at += 1;
    if (at >= text.length) break;
    if (isEscape && isLineEnd(text[at])) continue;
    value += text[at];
    if (isEscape || !isBlank(text[at])) length = value.length;
  }
  return { value: value.slice(0, length), end: at };
}

function readQuoted(text: string, begin: number, quote: string) {
  let value = "";
  for (let at = begin; at < text.length; at += 1) {
    if (text[at] === quote) return { value, end: at + 1, isClosed: true };
    if (quote === '"' && text[at] === "\\") {
      at += 1;
      const escaped = text[at] ?? "";
      if (isLineEnd(escaped)) continue;
      value += escapedInQuotes.test(escaped) ? escaped : `\\${escaped}`;
    } else value += text[at];
  }
  return { value, end: text.length, isClosed: false };
}

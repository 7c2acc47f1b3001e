import { readColour, type Colour, type Scheme } from "../../../core/text/colour.ts";
import { colourNames, type ColourName } from "./palette.ts";

/** A colour of an operator's sheet. */
interface Declared {
  readonly value: Colour;
  readonly line: number;
}

/** The colours of an operator's sheet, by the names of their custom properties. */
export type TokenSheet = Readonly<Record<Scheme, ReadonlyMap<ColourName, Declared>>>;

const mostProblems = 10;

class SheetProblem extends Error {}

const listed = colourNames.map((name) => `--${name}`).join(", ");
const nothingElse =
  ":root { … } with colours, and the same within @media (prefers-color-scheme: dark) { … }, are all that may stand here";

/** Takes a text apart, from one piece to the next. Space between pieces is passed over. */
function createPieces(text: string) {
  let at = 0;
  const skip = (): void => {
    while (/\s/.test(text.charAt(at))) at += 1;
  };
  return {
    /** Takes the next piece if it is that one; the pattern has to be sticky. */
    take(pattern: RegExp): string | undefined {
      skip();
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0];
      at += found?.length ?? 0;
      return found;
    },
    /** The line of the next piece. */
    line(): number {
      skip();
      return text.slice(0, at).split("\n").length;
    },
    isAtEnd(): boolean {
      skip();
      return at === text.length;
    },
  };
}

type Pieces = ReturnType<typeof createPieces>;

const root = /:root(?![\w-])/y;
const media = /@media(?![\w-])/y;
const darkOnly = [/\(/y, /prefers-color-scheme(?![\w-])/y, /:/y, /dark(?![\w-])/y, /\)/y];
const [open, close, colon, semicolon] = [/\{/y, /\}/y, /:/y, /;/y];
const property = /--[\w-]*/y;
const value = /[^;{}]*/y;

function expect(pieces: Pieces, pattern: RegExp, complaint: string): void {
  const line = pieces.line();
  if (pieces.take(pattern) === undefined) throw new SheetProblem(`line ${line}: ${complaint}`);
}

/** Takes the declarations of a block, and its end. What is wrong with a single one is kept, since the next one can be read nevertheless. */
function takeBlock(pieces: Pieces, scheme: Scheme, found: Map<ColourName, Declared>, problems: string[]): void {
  expect(pieces, open, `"{" is missing behind :root`);
  while (pieces.take(close) === undefined) {
    const line = pieces.line();
    if (pieces.isAtEnd()) throw new SheetProblem(`line ${line}: "}" is missing at the end of :root`);
    const said = pieces.take(property);
    if (said === undefined)
      throw new SheetProblem(`line ${line}: only custom properties such as --ground may stand in :root`);
    expect(pieces, colon, `":" is missing behind the name of a property`);
    const written = (pieces.take(value) ?? "").trim();
    keep(line, said, written, { scheme, found, problems });
    // The last one needs none: then the end of the block comes next.
    pieces.take(semicolon);
  }
}

interface Kept {
  readonly scheme: Scheme;
  readonly found: Map<ColourName, Declared>;
  readonly problems: string[];
}

/** Keeps one declaration. The text of the file is not repeated: the path may be that of a file which nobody should see in a log. */
function keep(line: number, said: string, written: string, { scheme, found, problems }: Kept): void {
  const name = colourNames.find((each) => said === `--${each}`);
  const colour = readColour(written);
  if (name === undefined) problems.push(`line ${line}: the colours that can be set are ${listed}, and this is none`);
  else if (colour === undefined)
    problems.push(`line ${line}: --${name} must be a colour in hexadecimal digits, such as #0f6b4f`);
  else if (found.has(name)) problems.push(`line ${line}: --${name} is there twice for ${scheme} pages: keep one`);
  else found.set(name, { value: colour, line });
}

function takeDark(pieces: Pieces, found: Map<ColourName, Declared>, problems: string[]): void {
  for (const piece of darkOnly)
    expect(pieces, piece, "the only condition that may stand here is @media (prefers-color-scheme: dark)");
  expect(pieces, open, `"{" is missing behind @media`);
  while (pieces.take(close) === undefined) {
    const line = pieces.line();
    if (pieces.isAtEnd()) throw new SheetProblem(`line ${line}: "}" is missing at the end of @media`);
    expect(pieces, root, "only :root may stand in @media (prefers-color-scheme: dark)");
    takeBlock(pieces, "dark", found, problems);
  }
}

/** Removes the comments, and leaves each line where it is. */
function withoutComments(text: string): string {
  const plain = text
    .replaceAll(/\r\n?|\f/g, "\n")
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "));
  const unclosed = plain.indexOf("/*");
  if (unclosed !== -1)
    throw new SheetProblem(`line ${plain.slice(0, unclosed).split("\n").length}: the comment is not closed`);
  return plain;
}

/**
 * Reads a style sheet of colours, or says what is wrong with it and in which line. It is taken apart by a grammar that has nothing but
 * blocks of colours: what a browser gets is written anew from the colours, and not the operator's text.
 */
export function readTokenSheet(text: string): TokenSheet | readonly string[] {
  const sheet = { light: new Map<ColourName, Declared>(), dark: new Map<ColourName, Declared>() };
  const problems: string[] = [];
  try {
    const pieces = createPieces(withoutComments(text));
    while (!pieces.isAtEnd()) {
      const line = pieces.line();
      if (pieces.take(root) !== undefined) takeBlock(pieces, "light", sheet.light, problems);
      else if (pieces.take(media) !== undefined) takeDark(pieces, sheet.dark, problems);
      else throw new SheetProblem(`line ${line}: ${nothingElse}`);
    }
    if (problems.length === 0 && sheet.light.size + sheet.dark.size === 0) return ["holds no colour"];
  } catch (error) {
    if (!(error instanceof SheetProblem)) throw error;
    problems.push(error.message);
  }
  return problems.length === 0 ? sheet : problems.slice(0, mostProblems);
}

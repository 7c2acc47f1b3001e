import { timestamp, type Millis } from "../../core/clock.ts";

/** The width of piped output, and of a terminal that does not tell its width. */
export const defaultWidth = 80;

export interface Column<Row> {
  readonly head: string;
  of(row: Row): string;
  /**
   * The least width to which the column may shrink if a line would be too long: its cells then continue on the next line. Default: it does
   * not shrink.
   */
  readonly least?: number;
}

const gap = "  ";
// Control characters and those that change the direction of text: a name must not be able to rearrange its line.
const steering = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const code = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Escapes text that others have written, so that it can't control the operator's terminal. In JSON it keeps its meaning. */
export const harmless = (text: string): string => text.replace(steering, code);

/** Escapes text of several lines, whose line ends stay. */
export const harmlessLines = (text: string): string => text.split("\n").map(harmless).join("\n");

/** Formats a moment for tables, in UTC. */
export const moment = (at: Millis): string => timestamp(at).slice(0, 19).replace("T", " ");

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const graphemes = (text: string): Iterable<{ readonly segment: string }> =>
  new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text);

/** Ways to break a text: after spaces, otherwise after a mark, otherwise anywhere. */
const pieces: readonly ((text: string) => Iterable<string>)[] = [
  (text) => text.split(/(?<=\s)(?=\S)/u),
  (text) => text.split(/(?<=[@,./:_-])/u),
  (text) => Array.from(graphemes(text), ({ segment }) => segment),
];

/** Breaks a text into lines of at most that width. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  function add(part: string, ways: typeof pieces): void {
    if (Bun.stringWidth(line + part.trimEnd()) <= width) {
      line += part;
      return;
    }
    const [split, ...finer] = ways;
    if (Bun.stringWidth(part.trimEnd()) > width && split !== undefined) {
      for (const piece of split(part)) add(piece, finer);
      return;
    }
    if (line !== "") lines.push(line.trimEnd());
    line = part;
  }
  for (const part of text.split("\n")) {
    add(part, pieces);
    lines.push(line.trimEnd());
    line = "";
  }
  return lines;
}

/** Narrows the widest shrinkable column until all columns fit. */
function fit(widths: readonly number[], least: readonly number[], total: number): readonly number[] {
  const fitted = [...widths];
  let surplus = fitted.reduce((sum, width) => sum + width, (fitted.length - 1) * gap.length) - total;
  while (surplus > 0) {
    const room = fitted.map((width, column) => (width > (least[column] ?? width) ? width : 0));
    const widest = Math.max(...room);
    if (widest === 0) break;
    fitted[room.indexOf(widest)] = widest - 1;
    surplus -= 1;
  }
  return fitted;
}

const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));

/** Formats rows under their heads, in lines of that width. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width = defaultWidth): string {
  const cells = [
    columns.map(({ head }) => head),
    ...rows.map((row) => columns.map((column) => harmless(column.of(row)))),
  ];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => Bun.stringWidth(line[at] ?? ""))));
  const least = columns.map(({ head, least: own = Infinity }, at) =>
    Math.min(widths[at] ?? 0, Math.max(own, head.length)),
  );
  const fitted = fit(widths, least, width);
  return cells.flatMap((line) => lay(line, fitted)).join("\n");
}

function lay(cells: readonly string[], widths: readonly number[]): readonly string[] {
  const pieces = cells.map((cell, column) => wrapped(cell, widths[column] ?? 0));
  const height = Math.max(...pieces.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) =>
    pieces
      .map((lines, column) => padded(lines[at] ?? "", widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

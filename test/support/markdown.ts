export interface TableRow {
  /** The header of the first column in lower case, which tells the tables of a section apart. */
  readonly kind: string;
  readonly cells: readonly string[];
}

/** The text without its code, whose lines may begin as headings do, at the same places. */
const withoutCode = (markdown: string): string =>
  markdown.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, " "));

/** Returns what stands below the heading with this text, up to the next one of its level or above. Throws unless there is one. */
export function section(markdown: string, heading: string): string {
  const all = [...withoutCode(markdown).matchAll(/^(#{1,6}) (.+)$/gm)];
  const found = all.filter(([, , text]) => text === heading);
  const [start] = found;
  if (start === undefined || found.length > 1) throw new Error(`${found.length} headings are called "${heading}"`);
  const level = start[1]?.length ?? 0;
  const end = all.find(({ index, 1: marks = "" }) => index > start.index && marks.length <= level);
  return markdown.slice(start.index + start[0].length, end?.index);
}

/** Returns the rows of every table below a heading, without code marks. Throws if there are none. */
export function tableRows(markdown: string, heading: string): TableRow[] {
  const rows = allTableRows(section(markdown, heading));
  if (rows.length === 0) throw new Error(`no table under "${heading}"`);
  return rows;
}

/** Returns the rows of every table in a text, without code marks. */
export function allTableRows(markdown: string): TableRow[] {
  const rows: TableRow[] = [];
  let kind: string | undefined;
  for (const line of markdown.split("\n")) {
    if (!line.startsWith("|")) {
      kind = undefined;
      continue;
    }
    const cells = line
      .replaceAll("\\|", "\u0000")
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replaceAll("\u0000", "|").replaceAll("`", "").trim());
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) continue;
    if (kind === undefined) kind = (cells[0] ?? "").toLowerCase();
    else rows.push({ kind, cells });
  }
  return rows;
}

/** Returns the code blocks of a language below a heading. Throws if there are none. */
export function codeBlocks(markdown: string, heading: string, language: string): string[] {
  const all = section(markdown, heading).matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm);
  const blocks = [...all].flatMap(([, written, block = ""]) => (written === language ? [block] : []));
  if (blocks.length === 0) throw new Error(`no block of ${language} under "${heading}"`);
  return blocks;
}

/** Returns the shell blocks below a heading. */
export const shellBlocks = (markdown: string, heading: string): string[] => codeBlocks(markdown, heading, "sh");

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** The anchor that GitHub makes for the heading, after the `#` of a link. A repeated heading gets a number. */
  readonly anchor: string;
}

export function headings(markdown: string): Heading[] {
  const seen = new Map<string, number>();
  return [...withoutCode(markdown).matchAll(/^(#{1,6}) (.+)$/gm)].map(([, marks = "", text = ""]) => {
    const anchor = text
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return { level: marks.length, text: text.trim(), anchor: count === 0 ? anchor : `${anchor}-${count}` };
  });
}

export interface Link {
  readonly text: string;
  readonly target: string;
}

/** Returns the links of a text, except those in code. */
export function links(markdown: string): Link[] {
  // The text of a link may be code, so only code without a bracket behind it is removed.
  const prose = withoutCode(markdown).replaceAll(/(?<!\[)`[^`\n]*`(?!\])/g, "");
  return [...prose.matchAll(/\[((?:[^\]\n]|\n(?!\n))+)\]\(([^)\s]+)\)/g)].map(([, text = "", target = ""]) => ({
    text,
    target,
  }));
}

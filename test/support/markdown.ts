export interface TableRow {
  /** The header of the first column in lower case, which tells the tables of a section apart. */
  readonly kind: string;
  readonly cells: readonly string[];
}

/** Returns the rows of every table from a `## heading` to the next one, without code marks. Throws if there are none. */
export function tableRows(markdown: string, heading: string): TableRow[] {
  const [, section = ""] = `\n${markdown}`.split(`\n## ${heading}\n`);
  const [body = ""] = section.split("\n## ");
  const rows = allTableRows(body);
  if (rows.length === 0) throw new Error(`no table under "## ${heading}"`);
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

/** Returns the code blocks of a language below a heading, given with its marks, up to the next heading of its level or above. */
export function codeBlocks(markdown: string, heading: string, language: string): string[] {
  const level = heading.indexOf(" ");
  const [, section = ""] = markdown.split(`\n${heading}\n`);
  const blocks: string[] = [];
  // A line of code may begin as a heading does, so blocks are skipped as a whole.
  for (const [found, written, block = ""] of section.matchAll(/^```(\w+)\n([\s\S]*?)^```$|^#+ /gm)) {
    if (written === undefined && found.length - 1 <= level) break;
    if (written === language) blocks.push(block);
  }
  if (blocks.length === 0) throw new Error(`no block of ${language} under "${heading}"`);
  return blocks;
}

/** Returns the shell blocks below a heading, given with its marks. */
export const shellBlocks = (markdown: string, heading: string): string[] => codeBlocks(markdown, heading, "sh");

const withoutBlocks = (markdown: string): string => markdown.replaceAll(/^```[\s\S]*?^```$/gm, "");

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** The anchor that GitHub makes for the heading, after the `#` of a link. A repeated heading gets a number. */
  readonly anchor: string;
}

export function headings(markdown: string): Heading[] {
  const seen = new Map<string, number>();
  return [...withoutBlocks(markdown).matchAll(/^(#{1,6}) (.+)$/gm)].map(([, marks = "", text = ""]) => {
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
  const prose = withoutBlocks(markdown).replaceAll(/(?<!\[)`[^`\n]*`(?!\])/g, "");
  return [...prose.matchAll(/\[([^\]\n]+)\]\(([^)\s]+)\)/g)].map(([, text = "", target = ""]) => ({ text, target }));
}

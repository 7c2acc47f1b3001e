export interface TableRow {
  /** The header of the first column, in lower case: tells apart the tables of one section. */
  readonly kind: string;
  readonly cells: readonly string[];
}

/** The rows of every table under a `## heading`, up to the next one; code marks are taken off. Throws when it has none. */
export function tableRows(markdown: string, heading: string): TableRow[] {
  const rows: TableRow[] = [];
  let inside = false;
  let kind: string | undefined;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("## ")) inside = line.slice(3).trim() === heading;
    if (!inside) continue;
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
  if (rows.length === 0) throw new Error(`no table under "## ${heading}"`);
  return rows;
}

/** The shell blocks under a heading, given with its marks, up to the next heading of its level or above. */
export function shellBlocks(markdown: string, heading: string): string[] {
  const level = heading.indexOf(" ");
  const [, section = ""] = markdown.split(`\n${heading}\n`);
  const [body = ""] = section.split(new RegExp(`\n#{1,${level}} `));
  const blocks = [...body.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  if (blocks.length === 0) throw new Error(`no shell block under "${heading}"`);
  return blocks;
}

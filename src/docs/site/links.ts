import { dirname, join } from "node:path";

/** Where the files of the repository are on the site. */
export type Places = ReadonlyMap<string, { readonly slug: string; readonly title: string }>;

/** The text of a link may go on in the next line. */
const link = /\[((?:`[^`]*`|[^\]`\n]|\n(?!\n))+)\]\(([^)\s]+)\)/g;

/**
 * Leads the links of a chapter to where their files are on the site. What is on no page of it, such as a folder of the sources, is named and
 * not linked.
 */
export function relink(text: string, path: string, places: Places, base: string): string {
  const kept: string[] = [];
  // A character of the private use area stands in no chapter.
  const keep = (piece: string): string => `\uE000${kept.push(piece) - 1}\uE000`;
  // The text of a link may be code, so what is in brackets is left for the links.
  const blocks = text.replaceAll(/^```[\s\S]*?^```$/gm, keep);
  const linked = blocks.replaceAll(link, (whole: string, label: string, target: string) => {
    if (/^(?:[a-z]+:|\/)/.test(target)) return whole;
    const [file = "", anchor] = target.split("#");
    const full = file === "" ? path : join(dirname(path), file);
    const place = places.get(full);
    if (place === undefined) return label;
    // The site writes the title of a page itself, without an anchor of its own; its first page stands for several documents.
    const isTop = anchor === undefined || anchor === anchorOf(place.title) || place.slug === "";
    return `[${label}](${base}${place.slug === "" ? "" : `${place.slug}/`}${isTop ? "" : `#${anchor}`})`;
  });
  return linked.replaceAll(/\uE000(\d+)\uE000/g, (_, index: string) => kept[Number(index)] ?? "");
}

/** The anchor that the site and GitHub make for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
    .replaceAll(" ", "-");

/** Has a block that is a file show its name, which stands beside its language. */
export const titled = (text: string): string =>
  text.replaceAll(
    /^```(\w+) (?!output$)([\w./[\]()+-]+)$/gm,
    (_, language: string, file: string) => `\`\`\`${language} title="${file}"`,
  );

/** A section of a page, without marks and code, for the search. */
export interface Section {
  readonly title: string;
  /** Undefined for what stands before the first heading. */
  readonly anchor: string | undefined;
  readonly text: string;
}

/** Splits a page at its headings. */
export function sectionsOf(title: string, text: string): readonly Section[] {
  const hidden = text.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/^#/gm, " "));
  const seen = new Map<string, number>();
  /** A repeated heading gets a number. */
  const ownAnchor = (heading: string): string => {
    const anchor = anchorOf(heading);
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
  return hidden.split(/^(?=#{2,4} )/m).map((piece) => {
    const [, heading] = /^#{2,4} (.+)$/m.exec(piece.startsWith("#") ? piece : "") ?? [];
    const body = heading === undefined ? piece : piece.slice(piece.indexOf("\n"));
    return {
      title: heading === undefined ? title : plain(heading),
      anchor: heading === undefined ? undefined : ownAnchor(heading),
      text: plain(body),
    };
  });
}

/** Takes the marks out of Markdown. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/^```.*$/gm, " ")
    .replaceAll(/^#+ .*$/gm, " ")
    .replaceAll(link, "$1")
    .replaceAll(/^\|[-|: ]+\|$/gm, " ")
    .replaceAll(/[`*|]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const unescape = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return point <= 0x10_ffff ? String.fromCodePoint(point) : whole;
    },
  );

/**
 * Returns what stands inside each element of that name. No element that is asked for has another of its name in it. An expression with both
 * tags would begin anew at each opening one, and take hours for an answer of nothing else.
 */
export function elements(xml: string, name: string): readonly string[] {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  const found: string[] = [];
  for (let start = xml.indexOf(opening); start !== -1;) {
    const end = xml.indexOf(closing, start);
    if (end === -1) break;
    found.push(xml.slice(start + opening.length, end));
    start = xml.indexOf(opening, end);
  }
  return found;
}

/** Returns the text of the first element of that name, empty where there is none. */
export const textOf = (xml: string, name: string): string => unescape(elements(xml, name)[0] ?? "");

/** Returns one part for the list by which an upload is completed. */
export const partElement = (number: number, etag: string): string =>
  `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', "&quot;")}</ETag></Part>`;

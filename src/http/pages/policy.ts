const parts = [
  ["script", "script-src"],
  ["style", "style-src"],
  ["image", "img-src"],
  ["frame", "frame-src"],
  ["connect", "connect-src"],
] as const;

/** The sources of the parts of a page, in the words of the header. A part without a source comes from nowhere. */
interface PageSources extends Partial<Readonly<Record<(typeof parts)[number][0], string>>> {
  readonly form?: string;
  /** Keeps scripts from making markup or code out of text (W3C Trusted Types), and from giving themselves the permission. */
  readonly trustedTypes?: true;
}

const nowhere = "'none'";

/** Returns the Content-Security-Policy of a page. No page may be framed, and none can take another base for its addresses. */
export const pagePolicy = ({ form = nowhere, trustedTypes, ...sources }: PageSources): string =>
  [
    `default-src ${nowhere}`,
    ...parts.flatMap(([part, directive]) => (sources[part] === undefined ? [] : [`${directive} ${sources[part]}`])),
    `object-src ${nowhere}`,
    `base-uri ${nowhere}`,
    `form-action ${form}`,
    `frame-ancestors ${nowhere}`,
    ...(trustedTypes === undefined ? [] : ["require-trusted-types-for 'script'", `trusted-types ${nowhere}`]),
  ].join("; ");

/** Returns the source that permits one inline style sheet, by the hash of its text. */
export const hashSource = (text: string): string =>
  `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;

/** The sources of the parts of a page, in the words of the header. A part without a source comes from nowhere. */
interface PageSources {
  readonly script?: string;
  readonly style?: string;
  readonly image?: string;
  readonly font?: string;
  readonly connect?: string;
  readonly form?: string;
  readonly frame?: string;
  /** Keeps scripts from making markup or code out of text (W3C Trusted Types), and from giving themselves the permission. */
  readonly trustedTypes?: true;
}

const nowhere = "'none'";

/** Returns the Content-Security-Policy of a page. No page may be framed, and none can take another base for its addresses. */
export const pagePolicy = ({ script, style, image, font, frame, connect, form, trustedTypes }: PageSources): string =>
  Object.entries({
    "default-src": nowhere,
    "script-src": script,
    "style-src": style,
    "img-src": image,
    "font-src": font,
    "frame-src": frame,
    "connect-src": connect,
    "object-src": nowhere,
    "base-uri": nowhere,
    "form-action": form ?? nowhere,
    "frame-ancestors": nowhere,
    "require-trusted-types-for": trustedTypes && "'script'",
    "trusted-types": trustedTypes && nowhere,
  })
    .flatMap(([directive, source]) => (source === undefined ? [] : [`${directive} ${source}`]))
    .join("; ");

/** The policy of a mail that a page of this host shows in a frame: it keeps its look, runs nothing, loads nothing and leads nowhere. */
export const framedMailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/** Returns the source that permits one inline style sheet, by the hash of its text. */
export const hashSource = (text: string): string =>
  `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;

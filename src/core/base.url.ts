const withoutEndSlashes = (text: string): string => text.replace(/\/+$/, "");

/** A URL to which a path is added that begins with a slash. */
export const baseUrl = ({ href }: URL): string => withoutEndSlashes(href);

/** The path of a URL, to which another one is added; empty for the root. */
export const basePath = ({ pathname }: URL): string => withoutEndSlashes(pathname);

const deepestEncoding = 4;
// Control characters, line separators and backslashes: browsers drop tabs and line breaks from a URL, and read a backslash as a slash.
const unsafe = /[\p{Cc}\u2028\u2029\\]/u;

/**
 * Returns the path, query and fragment of `text` on `origin`. Returns undefined when a browser, or a proxy that decodes once too often,
 * could take `text` for another place. `isRefused` is asked about the path at each depth of decoding.
 */
export function localPath(
  text: string,
  origin: string,
  isRefused: (path: string) => boolean = () => false,
): string | undefined {
  if (!/^\/(?!\/)/.test(text) || unsafe.test(text)) return undefined;
  // URL.parse is avoided because browsers of 2023 lack it. `new URL` does not throw here: a text that begins with one slash is valid on any
  // origin.
  const url = new URL(text, origin);
  if (url.origin !== origin) return undefined;
  return isPlainPath(url.pathname, isRefused) ? `${url.pathname}${url.search}${url.hash}` : undefined;
}

/** Whether the path has no empty segment at any depth of decoding: a leading `//` would turn the next segment into a host. */
function isPlainPath(pathname: string, isRefused: (path: string) => boolean): boolean {
  let path = pathname;
  for (let depth = 0; depth < deepestEncoding; depth += 1) {
    if (path.includes("//") || unsafe.test(path) || isRefused(path)) return false;
    const decoded = decodeAscii(path);
    if (decoded === path) return true;
    path = decoded;
  }
  return false;
}

/** Decodes one layer of percent signs. Characters beyond ASCII are left alone, since they can't turn into a slash. */
const decodeAscii = (path: string): string =>
  path.replaceAll(/%[0-7][\da-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

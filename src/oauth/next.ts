const longest = 2_048;
const deepestEncoding = 4;
// Browsers drop tabs and line breaks from a URL, and read a backslash as a slash.
const unsafe = /[\p{Cc}\u2028\u2029\\]/u;
/** A sign-in does not end in the start of another, least of all of a linking; the path of APP_URL may come before. */
const ownRoutes = /\/api\/v1\/auth\/oauth(?:\/|$)/i;

/**
 * Where to go after the sign-in (SECURITY F-11): a path of `origin`, as a Location header may hold it, or undefined when
 * `next` is anything that a browser, or a proxy that decodes once too often, could take for another place.
 */
export function localPath(next: string | undefined, origin: string): string | undefined {
  if (next === undefined || next.length > longest || !/^\/(?!\/)/.test(next) || unsafe.test(next)) return undefined;
  const url = URL.parse(next, origin);
  if (url === null || url.origin !== origin) return undefined;
  return isPlainPath(url.pathname) ? `${url.pathname}${url.search}${url.hash}` : undefined;
}

/** However often it is decoded, it stays a path without an empty segment: `//` in front would make a host of the next one. */
function isPlainPath(pathname: string): boolean {
  let path = pathname;
  for (let depth = 0; depth < deepestEncoding; depth += 1) {
    if (path.includes("//") || unsafe.test(path) || ownRoutes.test(path)) return false;
    const decoded = decodeAscii(path);
    if (decoded === path) return true;
    path = decoded;
  }
  return false;
}

/** One layer of percent signs; what is not ASCII can't turn into a slash. */
const decodeAscii = (path: string): string =>
  path.replaceAll(/%[0-7][\da-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

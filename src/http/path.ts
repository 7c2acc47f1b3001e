/** Where the path begins in an absolute URL, or in the relative one of HTTP/1.0 without Host. */
export const pathStart = (url: string): number => (url.startsWith("/") ? 0 : url.indexOf("/", "http://".length));

/**
 * The path as the router sees it: not decoded, without the query. Bun resolves the dots of an absolute URL; those of a
 * relative one are resolved when the request that stands in for it is made, and so must be here.
 */
export function pathOf(url: string): string {
  const start = pathStart(url);
  if (start === 0) return new URL(`http://localhost${url}`).pathname;
  const query = url.indexOf("?", start);
  return url.slice(start, query === -1 ? url.length : query);
}

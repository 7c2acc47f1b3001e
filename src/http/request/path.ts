/** Returns where the path begins in an absolute URL, or in the relative one of an HTTP/1.0 request without Host. */
export const pathStart = (url: string): number => (url.startsWith("/") ? 0 : url.indexOf("/", "http://".length));

/**
 * Returns the path as the router sees it: not decoded, without the query. Bun has resolved the dot segments of an absolute URL. The request
 * that stands in for a relative URL has them resolved, so they must be resolved here too.
 */
export function pathOf(url: string): string {
  const start = pathStart(url);
  if (start === 0) return new URL(`http://localhost${url}`).pathname;
  const query = url.indexOf("?", start);
  return url.slice(start, query === -1 ? url.length : query);
}

/** Reads the query without the URL class: the URL of a request by HTTP/1.0 may be relative. */
export const queryOf = ({ url }: Request): URLSearchParams => {
  const mark = url.indexOf("?");
  return new URLSearchParams(mark === -1 ? "" : url.slice(mark + 1));
};

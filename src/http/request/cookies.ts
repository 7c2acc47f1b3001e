import { percentDecoded } from "../../core/address/url.parts.ts";

/**
 * The value of a request's cookie, unless there are several of that name with different values: all but one were planted, by
 * a sibling host or over plain HTTP (RFC 6265bis §8.6), and nothing tells which. None is believed then, nor is one that
 * can't be decoded.
 */
export function readCookie(request: Request, name: string): string | undefined {
  const header = request.headers.get("cookie");
  if (header === null) return undefined;
  const prefix = `${name}=`;
  let found: string | undefined;
  let start = 0;
  while (start < header.length) {
    while (header.charCodeAt(start) === 32) start += 1;
    const semicolon = header.indexOf(";", start);
    const end = semicolon === -1 ? header.length : semicolon;
    if (header.startsWith(prefix, start)) {
      const value = header.slice(start + prefix.length, end).trim();
      if (found !== undefined && found !== value) return undefined;
      found = value;
    }
    start = end + 1;
  }
  return found === undefined ? undefined : decode(found);
}

/** The different values of a request's cookie in the order in which they were sent, at most so many. */
export const readCookies = (request: Request, name: string, most: number): readonly string[] =>
  [...new Set(valuesOf(request, name))].slice(0, most).flatMap((value) => decode(value) ?? []);

/** How many cookies of that name the browser holds for this path, whatever their values. */
export const countCookies = (request: Request, name: string): number => valuesOf(request, name).length;

function valuesOf(request: Request, name: string): readonly string[] {
  const prefix = `${name}=`;
  return (request.headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length).trim());
}

function decode(value: string): string | undefined {
  const bare = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  return bare.includes("%") ? percentDecoded(bare) : bare;
}

import { percentDecoded } from "../../core/address/url.parts.ts";

/**
 * Returns the value of a cookie of the request. Undefined where several cookies of that name have different values: all but one were
 * planted, by a sibling host or over plain HTTP (RFC 6265bis §8.6), and nothing tells which is genuine. Undefined also for a value that
 * can't be decoded.
 */
export function readCookie(request: Request, name: string): string | undefined {
  const header = request.headers.get("cookie");
  if (header === null) return undefined;
  const prefix = `${name}=`;
  let found: string | undefined;
  for (let at = header.indexOf(prefix); at !== -1; at = header.indexOf(prefix, at + 1)) {
    if (!beginsCookie(header, at)) continue;
    const semicolon = header.indexOf(";", at);
    const value = header.slice(at + prefix.length, semicolon === -1 ? header.length : semicolon).trim();
    if (found !== undefined && found !== value) return undefined;
    found = value;
  }
  return found === undefined ? undefined : decode(found);
}

/** Returns the different values of a cookie, at most `most`, in the order in which they were sent. */
export const readCookies = (request: Request, name: string, most: number): readonly string[] =>
  [...new Set(valuesOf(request, name))].slice(0, most).flatMap((value) => decode(value) ?? []);

/** Returns how many cookies of that name the browser holds for this path, whatever their values. */
export const countCookies = (request: Request, name: string): number => valuesOf(request, name).length;

/** More than any browser holds for one name. A request with more is refused anyway, and looking at each would take a while. */
const mostValues = 64;

/** Walks through the header. Splitting it would make a text of each of the thousands of cookies that a stranger can send. */
function valuesOf(request: Request, name: string): readonly string[] {
  const header = request.headers.get("cookie") ?? "";
  const prefix = `${name}=`;
  const values: string[] = [];
  for (let at = header.indexOf(prefix); at !== -1 && values.length < mostValues; at = header.indexOf(prefix, at + 1)) {
    if (!beginsCookie(header, at)) continue;
    const semicolon = header.indexOf(";", at);
    values.push(header.slice(at + prefix.length, semicolon === -1 ? header.length : semicolon).trim());
  }
  return values;
}

/** Whether only spaces stand between that place and the semicolon before it. */
function beginsCookie(header: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && isSpace(header.charCodeAt(before))) before -= 1;
  return before < 0 || header[before] === ";";
}
const isSpace = (code: number): boolean => code === 32 || code === 9;

function decode(value: string): string | undefined {
  const bare = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  return bare.includes("%") ? percentDecoded(bare) : bare;
}

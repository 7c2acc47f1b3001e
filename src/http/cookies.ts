import { cookie } from "@elysiajs/cookie";

/** The part of an answer that a handler may set. */
export interface ResponseHead {
  headers: { "set-cookie"?: string | string[] };
}

/** RFC 6265 §4.1; `maxAge` in seconds, without it the cookie ends with the browser session. */
interface CookieAttributes {
  readonly httpOnly?: boolean;
  readonly sameSite?: "lax" | "strict" | "none";
  readonly path?: string;
  readonly secure?: boolean;
  readonly maxAge?: number;
}

type SetCookie = (name: string, value: string, attributes: CookieAttributes) => void;

const hasSetCookie = (derived: unknown): derived is { readonly setCookie: SetCookie } =>
  typeof derived === "object" && derived !== null && "setCookie" in derived && typeof derived.setCookie === "function";

/**
 * Adds a cookie, each in a Set-Cookie header of its own. @elysiajs/cookie as a plugin would parse the Cookie header of
 * every request and collapse several cookies into one header; called here, once per cookie written, it does neither.
 */
export function appendCookie(head: ResponseHead, name: string, value: string, attributes: CookieAttributes): void {
  const written: { headers: Record<string, unknown> } = { headers: {} };
  const derived: unknown = cookie().event.transform?.[0]?.fn({
    request: new Request("http://localhost"),
    set: written,
  });
  if (!hasSetCookie(derived)) throw new Error("@elysiajs/cookie no longer derives setCookie");
  derived.setCookie(name, value, attributes);
  const [header] = [written.headers["Set-Cookie"]].flat();
  if (typeof header !== "string") throw new Error("@elysiajs/cookie no longer sets Set-Cookie");
  const earlier = head.headers["set-cookie"] ?? [];
  head.headers["set-cookie"] = [...(typeof earlier === "string" ? [earlier] : earlier), header];
}

/**
 * The value of a cookie in a Cookie header. Of several with one name the first counts: browsers send the most specific
 * path first, and every reader of one request must come to the same answer. One that can't be decoded is no cookie.
 */
export function findCookie(header: string, name: string): string | undefined {
  const prefix = `${name}=`;
  for (let at = header.indexOf(prefix); at !== -1; at = header.indexOf(prefix, at + 1)) {
    if (!beginsPair(header, at)) continue;
    const semicolon = header.indexOf(";", at);
    return decode(header.slice(at + prefix.length, semicolon === -1 ? undefined : semicolon).trim());
  }
  return undefined;
}

/** Nothing but spaces between the start of the header, or the last semicolon, and here. */
function beginsPair(header: string, at: number): boolean {
  let before = at - 1;
  while (header.charCodeAt(before) === 32) before -= 1;
  return before < 0 || header[before] === ";";
}

function decode(value: string): string | undefined {
  const bare = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  if (!bare.includes("%")) return bare;
  try {
    return decodeURIComponent(bare);
  } catch {
    return undefined;
  }
}

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

/** What the plugin would run before every request: it makes the `setCookie` of one answer. */
const derive = cookie().event.transform?.[0]?.fn;
const unrelated = new Request("http://localhost");

/**
 * Adds a cookie, each in a Set-Cookie header of its own. @elysiajs/cookie as a plugin would parse the Cookie header of
 * every request and collapse several cookies into one header; called here, once per cookie written, it does neither.
 */
export function appendCookie(head: ResponseHead, name: string, value: string, attributes: CookieAttributes): void {
  const written: { headers: Record<string, unknown> } = { headers: {} };
  const derived: unknown = derive?.({ request: unrelated, set: written });
  if (!hasSetCookie(derived)) throw new Error("@elysiajs/cookie no longer derives setCookie");
  derived.setCookie(name, value, attributes);
  const [header] = [written.headers["Set-Cookie"]].flat();
  if (typeof header !== "string") throw new Error("@elysiajs/cookie no longer sets Set-Cookie");
  const earlier = head.headers["set-cookie"] ?? [];
  head.headers["set-cookie"] = [...(typeof earlier === "string" ? [earlier] : earlier), header];
}

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

function decode(value: string): string | undefined {
  const bare = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  if (!bare.includes("%")) return bare;
  try {
    return decodeURIComponent(bare);
  } catch {
    return undefined;
  }
}

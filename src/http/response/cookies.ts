import type * as Plugin from "@elysiajs/cookie";
import { lazily } from "../../core/pace/lazily.ts";

/** The part of an answer that a handler may set. */
export interface ResponseHead {
  headers: { "set-cookie"?: string | string[]; "clear-site-data"?: string };
}

/** Attributes of a cookie (RFC 6265 §4.1). `maxAge` is in seconds; without it the cookie ends with the browser session. */
interface CookieAttributes {
  readonly httpOnly?: boolean;
  readonly sameSite?: "lax" | "strict" | "none";
  readonly path?: string;
  /** Without a domain the cookie stays with its host. */
  readonly domain?: string;
  readonly secure?: boolean;
  readonly maxAge?: number;
}

type SetCookie = (name: string, value: string, attributes: CookieAttributes) => void;

const hasSetCookie = (derived: unknown): derived is { readonly setCookie: SetCookie } =>
  typeof derived === "object" && derived !== null && "setCookie" in derived && typeof derived.setCookie === "function";

const isPlugin = (loaded: unknown): loaded is typeof Plugin =>
  typeof loaded === "object" && loaded !== null && "cookie" in loaded;

/**
 * The hook that the plugin would run before every request; it makes the `setCookie` of one answer. The plugin loads ciphers and streams, so
 * it is loaded with the first cookie that is written.
 */
const hook = lazily(() => {
  const plugin: unknown = require("@elysiajs/cookie");
  return isPlugin(plugin) ? plugin.cookie().event.transform?.[0]?.fn : undefined;
});
const unrelated = new Request("http://localhost");

/**
 * Adds a cookie in a Set-Cookie header of its own. @elysiajs/cookie as a plugin would parse the Cookie header of every request, replace
 * Elysia's own `cookie`, be absent from early refusals, and collapse several cookies into one header. A call for each written cookie does
 * none of these.
 */
export function appendCookie(head: ResponseHead, name: string, value: string, attributes: CookieAttributes): void {
  const written: { headers: Record<string, unknown> } = { headers: {} };
  const derived: unknown = hook()?.({ request: unrelated, set: written });
  if (!hasSetCookie(derived)) throw new Error("@elysiajs/cookie no longer derives setCookie");
  derived.setCookie(name, value, attributes);
  const [header] = [written.headers["Set-Cookie"]].flat();
  if (typeof header !== "string") throw new Error("@elysiajs/cookie no longer sets Set-Cookie");
  const earlier = head.headers["set-cookie"] ?? [];
  head.headers["set-cookie"] = [...(typeof earlier === "string" ? [earlier] : earlier), header];
}

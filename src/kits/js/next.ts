import { NextResponse } from "next/server";
import { createGate, type GateOptions, type GateResult, type GateUser } from "./gate.ts";
import { ownPaths } from "./paths.ts";

export interface GatehouseApp {
  /**
   * The proxy of the app (`proxy.ts`, before Next.js 16 `middleware.ts`). It passes on to Gatehouse what is Gatehouse's, and brings browsers their new
   * cookies, which components of the server can't set.
   */
  proxy(request: Request): Promise<Response>;
  /** Resolves to the person who sends the request, or null, in components of the server, actions and route handlers. Pages that ask are never static. */
  getUser(): Promise<GateUser | null>;
}

/** Returns the `Cookie` header of a browser that has taken the cookies. */
function withCookies(header: string, setCookies: readonly string[]): string {
  const kept = new Map(header.split(";").map((pair) => [pair.split("=", 1).join().trim(), pair.trim()]));
  for (const setCookie of setCookies) {
    const [pair = ""] = setCookie.split(";", 1);
    const name = pair.split("=", 1).join();
    if (pair === `${name}=`) kept.delete(name);
    else kept.set(name, pair);
  }
  return [...kept.values()].filter((pair) => pair !== "").join("; ");
}

/** Connects an app of Next.js with its App Router to Gatehouse. */
export function gatehouse(options: GateOptions): GatehouseApp {
  const gate = createGate(options);
  const asked = new WeakMap<object, Promise<GateResult<GateUser | null>>>();
  return {
    async proxy(request) {
      const { pathname, search } = new URL(request.url);
      if (ownPaths.test(pathname))
        return NextResponse.rewrite(`${options.baseUrl.replace(/\/+$/, "")}${pathname}${search}`);
      const { user, headers, response } = await gate(request, { optional: true });
      if (response !== undefined) return response;
      const cookies = headers.getSetCookie();
      const handed = new Headers(request.headers);
      if (cookies.length > 0) handed.set("cookie", withCookies(handed.get("cookie") ?? "", cookies));
      const answer = NextResponse.next({ request: { headers: handed } });
      for (const cookie of cookies) answer.headers.append("set-cookie", cookie);
      // What Next.js has made ahead may be kept by caches: not with a cookie, nor what a route has made for a person. A file is for everybody,
      // but a route may have any name: what looks like a file is kept by the browser alone, which asks whether it is still the same.
      const isFile = /\.\w+$/.test(pathname);
      if (cookies.length > 0 || user !== null)
        answer.headers.set("cache-control", isFile && cookies.length === 0 ? "private, no-cache" : "private, no-store");
      return answer;
    },

    async getUser() {
      const { headers } = await import("next/headers");
      const sent = await headers();
      const asking = asked.get(sent) ?? gate({ method: "GET", url: "/", headers: sent }, { optional: true });
      asked.set(sent, asking);
      const { user, response } = await asking;
      if (response !== undefined) throw new Error(`Gatehouse can't say who is calling: ${response.status}`);
      return user;
    },
  };
}

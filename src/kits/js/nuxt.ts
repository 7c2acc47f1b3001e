import { wayOf } from "./gate/credentials.ts";
import { createGate, type GateNeeds, type GateOptions, type GateUser } from "./gate.ts";
import { keepFromCaches, type CachedAnswer } from "./gate/node.ts";
import { ownPaths } from "./paths.ts";

/** What is used of the events of h3, on which Nuxt's server stands. */
export interface NuxtEvent {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly context: {
    /** Who is calling; null where nobody is signed in, undefined where the answer is kept for everybody. */
    user?: GateUser | null | undefined;
    /** There while Nitro makes an answer that it keeps. */
    cache?: unknown;
  };
  readonly node: {
    readonly req: { readonly socket?: { readonly remoteAddress?: string | undefined } };
    readonly res: CachedAnswer & { appendHeader(name: string, value: readonly string[]): unknown };
  };
}

export interface GatehouseOptions<Event extends NuxtEvent> extends GateOptions {
  /** What every request needs. Default: strangers pass. */
  readonly needs?: GateNeeds;
  /** Nuxt's own `proxyRequest`: what is Gatehouse's is passed on by it. Without it a proxy before the app has to. */
  readonly proxyRequest?: (event: Event, target: string, options: PassingOptions) => unknown;
}

/** How a request is passed on. Where Gatehouse leads, the browser goes: the server would fetch an address that others may have chosen. */
interface PassingOptions {
  readonly headers: Record<string, string>;
  readonly fetchOptions: { readonly redirect: "manual" };
}

/** Makes a middleware of the server: says for every request who is calling, in `event.context.user`, and passes on what is Gatehouse's. */
export function gatehouse<Event extends NuxtEvent>(
  options: GatehouseOptions<Event>,
): (event: Event) => Promise<unknown> {
  const { needs = { optional: true }, proxyRequest, ...rest } = options;
  const gate = createGate(rest);
  return async (event) => {
    const { method, path, headers: sent, context, node } = event;
    const clientAddress = node.req.socket?.remoteAddress;
    if (proxyRequest !== undefined && ownPaths.test(path)) {
      const way = wayOf(event, clientAddress);
      const headers = { accept: sent.get("accept") ?? "*/*", ...(way !== "" && { "x-forwarded-for": way }) };
      const target = `${rest.baseUrl.replace(/\/+$/, "")}${path}`;
      return proxyRequest(event, target, { headers, fetchOptions: { redirect: "manual" } });
    }
    const request = { method, url: `http://${sent.get("host") ?? "localhost"}${path}`, headers: sent };
    const { user, headers, response } = await gate(request, { clientAddress, ...needs });
    if (response !== undefined) return response;
    const cookies = headers.getSetCookie();
    if (cookies.length > 0) node.res.appendHeader("set-cookie", cookies);
    let isPersonal = cookies.length > 0;
    keepFromCaches(node.res, () => isPersonal);
    Object.defineProperty(context, "user", {
      enumerable: true,
      get() {
        // What Nitro keeps is made once, for everybody: whose request it happens to be made by is no business of its.
        if (context.cache !== undefined) return undefined;
        isPersonal = true;
        return user;
      },
    });
    return undefined;
  };
}

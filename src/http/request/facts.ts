import { createBlockMatcher, isLoopback, normaliseAddress } from "../../core/address/address.ts";
import { isCrossSite, losesCookies, type OwnOrigins } from "./csrf.ts";
import { isForwarded } from "./forwarded.ts";
import { createRequestIds } from "./request.ids.ts";

interface Peers {
  requestIP(request: Request): { readonly address: string; readonly port: number } | null;
}

const unknownAddress = "unknown";

interface FactsOptions {
  readonly trustedProxies: readonly string[];
  readonly own: OwnOrigins;
}

export type RequestFacts = ReturnType<typeof createRequestFacts>;

/**
 * What is true of a request but not to be read off it: its id, who sent it and how. Every server has its own. Nothing is
 * worked out before it is asked for, and only the id is kept.
 */
export function createRequestFacts({ trustedProxies, own }: FactsOptions) {
  const isTrusted = createBlockMatcher(trustedProxies);
  const { shareId, ...ids } = createRequestIds();
  const originals = new WeakMap<Request, Request>();
  const unrouted = new WeakSet<Request>();
  let peers: Peers | undefined;

  function peer(request: Request): string {
    const socket = peers?.requestIP(originals.get(request) ?? request);
    return (socket && normaliseAddress(socket.address)) ?? unknownAddress;
  }

  return {
    ...ids,

    /**
     * The socket's peer; behind a trusted proxy the right-most address of X-Forwarded-For that is not itself a trusted
     * proxy. Ask before the first await: a connection that has gone has no address.
     */
    clientAddress(request: Request): string {
      let address = peer(request);
      if (!isTrusted(address)) return address;
      const hops = request.headers.get("x-forwarded-for")?.split(",") ?? [];
      for (const hop of hops.toReversed()) {
        const forwarded = normaliseAddress(hop);
        if (forwarded === undefined) return address;
        address = forwarded;
        if (!isTrusted(address)) return address;
      }
      return address;
    },

    /**
     * Somebody on this host forwards requests and is not trusted to: a proxy that API_TRUSTED_PROXIES does not name. All of
     * its clients seem to have its address.
     */
    isForgottenProxy(request: Request): boolean {
      if (!isForwarded(request)) return false;
      const address = peer(request);
      return isLoopback(address) && !isTrusted(address);
    },

    /** Whether a page of another site may have sent the request. */
    isCrossSite: (request: Request): boolean => isCrossSite(request, own),

    /** Whether the browser that sent the request keeps no cookie of the answer. */
    losesCookies: (request: Request): boolean => losesCookies(request, own.appUrl),

    /** The connection that the request came by, while it is there. */
    connection(request: Request): string | undefined {
      const socket = peers?.requestIP(request);
      return socket ? `${socket.port} ${socket.address}` : undefined;
    },

    /** https only when a trusted proxy says so: the server itself speaks plain HTTP. */
    scheme(request: Request): "http" | "https" {
      const forwarded = request.headers.get("x-forwarded-proto");
      if (forwarded === null || !isTrusted(peer(request))) return "http";
      return forwarded.split(",").at(-1)?.trim().toLowerCase() === "https" ? "https" : "http";
    },

    /**
     * What the client asked a trusted proxy for, where the proxy asks this service about the request: Caddy and Traefik name
     * the three parts, nginx is made to name the whole. A client may have sent what its proxy does not set: where the two
     * differ, neither is believed.
     */
    forwardedUrl(request: Request): string | undefined {
      if (!isTrusted(peer(request))) return undefined;
      const { headers } = request;
      const [scheme, host, uri] = ["x-forwarded-proto", "x-forwarded-host", "x-forwarded-uri"].map((name) =>
        headers.get(name),
      );
      const parts = scheme && host && uri ? `${scheme}://${host}${uri}` : null;
      const whole = headers.get("x-original-url");
      if (parts !== null && whole !== null && parts !== whole) return undefined;
      return parts ?? whole ?? undefined;
    },

    /** Takes the server once it listens: only it knows the sockets. */
    attach(server: Peers): void {
      peers = server;
    },

    /** Says that `request` stands in for `original`, which alone has a socket. */
    standIn(request: Request, original: Request): void {
      originals.set(request, original);
      shareId(request, original);
    },

    /** The method as it was sent: to routes a HEAD is a GET. */
    method: (request: Request): string => (originals.get(request) ?? request).method,

    /** Says that no route matched. The server answers such a request, since it knows the routes. */
    markUnrouted(request: Request): void {
      unrouted.add(originals.get(request) ?? request);
    },
    isUnrouted: (request: Request): boolean => unrouted.has(request),
  };
}

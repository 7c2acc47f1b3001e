import { createBlockMatcher, isLoopback, normaliseAddress } from "../../core/address/address.ts";
import { randomToken } from "../../core/crypto.ts";
import { isForwarded } from "./forwarded.ts";

interface Peers {
  requestIP(request: Request): { readonly address: string; readonly port: number } | null;
}

const wellFormedId = /^[A-Za-z0-9._-]{1,128}$/;
const unknownAddress = "unknown";

export type RequestFacts = ReturnType<typeof createRequestFacts>;

/**
 * Facts about a request that its headers alone do not tell: its id, its sender, its way here. Every server has its own facts. Each is
 * worked out on demand, and only the id is kept.
 */
export function createRequestFacts({ trustedProxies }: { readonly trustedProxies: readonly string[] }) {
  const isTrusted = createBlockMatcher(trustedProxies);
  const ids = new WeakMap<Request, string>();
  const originals = new WeakMap<Request, Request>();
  const unrouted = new WeakSet<Request>();
  // The random half makes an id unique across processes. Counting is far cheaper than a UUID for every request.
  const idPrefix = `${randomToken().slice(0, 16)}-`;
  let issuedIds = 0;
  let peers: Peers | undefined;

  function peer(request: Request): string {
    const socket = peers?.requestIP(originals.get(request) ?? request);
    return (socket && normaliseAddress(socket.address)) ?? unknownAddress;
  }

  function newRequestId(request: Request): string {
    const inbound = request.headers.get("x-request-id");
    return inbound !== null && wellFormedId.test(inbound) ? inbound : idPrefix + (issuedIds += 1).toString(36);
  }

  const facts = {
    /** Returns the caller's own id where it is well-formed, so that a trace can cross services. Otherwise makes one. */
    requestId(request: Request): string {
      const known = ids.get(request);
      if (known !== undefined) return known;
      const id = newRequestId(request);
      ids.set(request, id);
      return id;
    },

    /** Returns the id once the answer is ready. Most requests have not been asked for their id by then, and it need not be kept. */
    finalRequestId: (request: Request): string => ids.get(request) ?? newRequestId(request),

    /**
     * Returns the socket's peer; behind a trusted proxy, the right-most address of X-Forwarded-For that is not itself a trusted proxy. Call
     * it before the first await: a connection that has gone has no address.
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
     * Whether a proxy on this host forwarded the request although API_TRUSTED_PROXIES does not name it. All clients of such a proxy seem to
     * have its address.
     */
    isForgottenProxy(request: Request): boolean {
      if (!isForwarded(request)) return false;
      const address = peer(request);
      return isLoopback(address) && !isTrusted(address);
    },

    /** Returns the connection that the request came by, while it is open. */
    connection(request: Request): string | undefined {
      const socket = peers?.requestIP(request);
      return socket ? `${socket.port} ${socket.address}` : undefined;
    },

    /** Returns https only when a trusted proxy says so: the server itself speaks plain HTTP. */
    scheme(request: Request): "http" | "https" {
      const forwarded = request.headers.get("x-forwarded-proto");
      if (forwarded === null || !isTrusted(peer(request))) return "http";
      return forwarded.split(",").at(-1)?.trim().toLowerCase() === "https" ? "https" : "http";
    },

    /**
     * Returns the URL that the client asked a trusted proxy for, where the proxy asks this service about the request. Caddy and Traefik
     * name the three parts; nginx is configured to name the whole. A client may have sent the header that its proxy does not set: where the
     * two forms differ, neither is believed.
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

    /** Takes the server once it listens: only the server knows the sockets. */
    attach(server: Peers): void {
      peers = server;
    },

    /** Notes that `request` stands in for `original`, which alone has a socket. */
    standIn(request: Request, original: Request): void {
      originals.set(request, original);
      ids.set(request, facts.requestId(original));
    },

    /** Returns the method that was sent; routes see a HEAD as a GET. */
    method: (request: Request): string => (originals.get(request) ?? request).method,

    /** Notes that no route matched. The server answers such a request, since it knows the routes. */
    markUnrouted(request: Request): void {
      unrouted.add(originals.get(request) ?? request);
    },
    isUnrouted: (request: Request): boolean => unrouted.has(request),
  };
  return facts;
}

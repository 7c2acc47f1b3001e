import type { Config } from "../config/index.ts";
import { errorCode } from "../core/errors.ts";

/** A host name of this machine is two addresses, and programs differ in which one they try first, or at all. */
const loopbackAddresses = ["127.0.0.1", "::1"] as const;
/** What the system says of an address that it does not have: some have no IPv6. */
const isAbsent = (error: unknown): boolean => ["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(errorCode(error));

export interface Listener {
  readonly hostname: string;
  readonly port: number;
  readonly url: URL;
  /** The server that knows the peers of all requests. */
  readonly server: Bun.Server<undefined>;
  pending(): number;
  stop(cut?: boolean): Promise<void>;
}

/** Listens on an address, or on both of this machine's own where the host is `localhost`. */
export function listen(
  { host, port, reusePort }: Pick<Config["http"], "host" | "port" | "reusePort">,
  options: Pick<Bun.Serve.Options<undefined>, "idleTimeout" | "maxRequestBodySize"> & {
    fetch(request: Request): Response | Promise<Response>;
  },
): Listener {
  function open(hostname: string, at: number): Bun.Server<undefined> {
    try {
      return Bun.serve({ hostname, port: at, reusePort, development: false, ...options });
    } catch (cause) {
      if (hostname !== host && isAbsent(cause)) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      const shown = hostname.includes(":") ? `[${hostname}]` : hostname;
      throw new Error(`can't listen on ${shown}:${at} (API_HTTP_HOST, API_HTTP_PORT): ${reason}`, { cause });
    }
  }

  const [first, second] = host === "localhost" ? loopbackAddresses : [host];
  const server = open(first, port);
  const bound = server.port ?? port;
  const servers = [server];
  try {
    if (second !== undefined) servers.push(open(second, bound));
  } catch (error) {
    if (!isAbsent(error)) {
      void server.stop(true);
      throw error;
    }
  }

  return {
    hostname: server.hostname ?? first,
    port: bound,
    url: server.url,
    server,
    pending: () => servers.reduce((sum, each) => sum + each.pendingRequests, 0),
    async stop(cut) {
      await Promise.all(servers.map((each) => each.stop(cut)));
    },
  };
}

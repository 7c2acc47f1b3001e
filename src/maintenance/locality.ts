import { isLoopback } from "../core/address/address.ts";
import { isForwarded, type RequestFacts } from "../http/index.ts";

const hosts = ["127.0.0.1", "localhost", "[::1]"] as const;
const browsers = ["origin", "sec-fetch-site", "sec-fetch-mode"] as const;

/**
 * Returns a function that tells whether a request comes from a program on this host that asks for the app itself. A proxy on this host
 * speaks for others, and so does a browser: a page of any site can make it send requests to a loopback address (CVE-2026-27589 of Caddy).
 */
export function createLocality(facts: RequestFacts, port: () => number | undefined): (request: Request) => boolean {
  function isOwnHost(host: string): boolean {
    const own = port();
    return hosts.some((name) => host === `${name}:${own}` || (own === 80 && host === name));
  }

  return (request) => {
    if (isForwarded(request) || browsers.some((name) => request.headers.has(name))) return false;
    const host = request.headers.get("host")?.toLowerCase() ?? "";
    return isOwnHost(host) && isLoopback(facts.clientAddress(request));
  };
}

import type { RequestFacts } from "../http/index.ts";

interface LocalityOptions {
  readonly facts: RequestFacts;
  /** Where the app listens; undefined while it does not. */
  readonly port: () => number | undefined;
}

const hosts = ["127.0.0.1", "localhost", "[::1]"] as const;
// Headers that proxies and content networks add under many names: X-Real-IP, CF-Connecting-IP, True-Client-IP, …
const forwarding =
  /^(?:forwarded|via|cdn-loop|(?:x-forwarded|x-original|x-envoy|x-azure|x-amzn|cf|proxy)(?:-.*)?|.*-ip)$/;
const browsers: ReadonlySet<string> = new Set(["origin", "sec-fetch-site", "sec-fetch-mode"]);

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.");

/**
 * Whether a request comes from a program on this host that asks for the app itself. A proxy on this host speaks for others,
 * and so does a browser: a page of any site can make it send requests to a loopback address (CVE-2026-27589 of Caddy).
 */
export function createLocality({ facts, port }: LocalityOptions): (request: Request) => boolean {
  function isOwnHost(host: string): boolean {
    const own = port();
    return hosts.some((name) => host === `${name}:${own}` || (own === 80 && host === name));
  }

  return (request) => {
    for (const name of request.headers.keys()) if (browsers.has(name) || forwarding.test(name)) return false;
    const host = request.headers.get("host")?.toLowerCase() ?? "";
    return isOwnHost(host) && isLoopback(facts.clientAddress(request));
  };
}

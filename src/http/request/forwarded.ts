import type { Config } from "../../config/index.ts";

// Proxies and content networks add headers under many names: X-Real-IP, CF-Connecting-IP, True-Client-IP, …
const forwarding =
  /^(?:forwarded|via|cdn-loop|(?:x-forwarded|x-original|x-envoy|x-azure|x-amzn|cf|proxy)(?:-.*)?|.*-ip)$/;

/** Whether a proxy passed the request on. Nothing tells a proxy that adds no such header from a program with a request of its own. */
export function isForwarded({ headers }: Request): boolean {
  for (const name of headers.keys()) if (forwarding.test(name)) return true;
  return false;
}

const isAtOrBelow = (path: string, root: string): boolean =>
  path === root || (path.startsWith(root) && path[root.length] === "/");

/**
 * Returns whether a path has to look absent to a request. Paths for operators and their machines do when a proxy forwarded the request,
 * since a proxy speaks for strangers. The configuration can except each path.
 */
export function createForwardedPaths({ metrics, lighthouse }: Pick<Config, "metrics" | "lighthouse">) {
  const roots = [...(metrics.behindProxy ? [] : ["/metrics"]), ...(lighthouse.behindProxy ? [] : ["/lighthouse"])];
  return (request: Request, path: string): boolean =>
    roots.some((root) => isAtOrBelow(path, root)) && isForwarded(request);
}

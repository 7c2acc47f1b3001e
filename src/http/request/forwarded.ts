import type { Config } from "../../config/index.ts";

// Headers that proxies and content networks add under many names: X-Real-IP, CF-Connecting-IP, True-Client-IP, …
const forwarding =
  /^(?:forwarded|via|cdn-loop|(?:x-forwarded|x-original|x-envoy|x-azure|x-amzn|cf|proxy)(?:-.*)?|.*-ip)$/;

/** Whether a proxy passed the request on. One that adds no such header can't be told from a program that asks for itself. */
export function isForwarded({ headers }: Request): boolean {
  for (const name of headers.keys()) if (forwarding.test(name)) return true;
  return false;
}

const isAtOrBelow = (path: string, root: string): boolean =>
  path === root || (path.startsWith(root) && path[root.length] === "/");

/**
 * Whether a path is to look absent to a request: those for operators and their machines do when a proxy forwarded it, since
 * a proxy speaks for strangers. The configuration can except each of them.
 */
export function createForwardedPaths({ metrics, lighthouse }: Pick<Config, "metrics" | "lighthouse">) {
  const roots = [...(metrics.behindProxy ? [] : ["/metrics"]), ...(lighthouse.behindProxy ? [] : ["/lighthouse"])];
  return (request: Request, path: string): boolean =>
    roots.some((root) => isAtOrBelow(path, root)) && isForwarded(request);
}

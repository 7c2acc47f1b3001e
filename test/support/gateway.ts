/** A gateway in front of the service that passes the refresh cookie to /refresh alone: everywhere else the access token decides. */
export interface Gateway {
  readonly url: string;
  /** Counts requests by method, path and status, such as `POST /api/v1/auth/refresh 200`. */
  count(line: string): number;
  /** Holds the next answer of the kind `line` back until one of the kind `until` has passed. */
  keepBack(line: string, until: string): void;
  stop(): Promise<void>;
}

const refreshCookie = /(?:^|;\s*)auth_refresh=[^;]*/;

/** Starts a gateway. `serveOwn` answers requests that the gateway serves by itself, such as for a page. */
export function startGateway(
  target: string,
  serveOwn: (path: string) => Response | undefined = () => undefined,
): Gateway {
  const passed: string[] = [];
  const keptBack = new Map<string, string>();
  const waiting = new Map<string, () => void>();

  async function pass(line: string): Promise<void> {
    const until = keptBack.get(line);
    if (until !== undefined) {
      keptBack.delete(line);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(until, resolve);
      await promise;
    }
    passed.push(line);
    waiting.get(line)?.();
  }

  const server = Bun.serve({
    hostname: "localhost",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const own = serveOwn(pathname);
      if (own !== undefined) return own;
      const headers = new Headers(request.headers);
      const cookie = headers.get("cookie");
      if (cookie !== null && !pathname.endsWith("/refresh")) headers.set("cookie", cookie.replace(refreshCookie, ""));
      const body = request.method === "POST" ? await request.bytes() : null;
      const { method } = request;
      const answer = await fetch(target + pathname + search, { method, headers, body, redirect: "manual" });
      await pass(`${method} ${pathname} ${answer.status}`);
      return answer;
    },
  });

  return {
    url: server.url.origin,
    count: (line) => passed.filter((each) => each === line).length,
    keepBack: (line, until) => void keptBack.set(line, until),
    stop: () => server.stop(true),
  };
}

import { afterAll } from "bun:test";

interface Held {
  /** Resolves once the answer to the next question is there. */
  readonly arrived: Promise<void>;
  release(): void;
}

/** Stands between an app and Gatehouse, and tells what has passed. It is stopped after the tests. */
export function startCounted(target: string) {
  const passed: Headers[] = [];
  let holding: { arrive(): void; readonly released: Promise<void> } | undefined;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      passed.push(new Headers(request.headers));
      const { method, headers } = request;
      const body = method === "GET" ? null : await request.bytes();
      const answer = await fetch(`${target}${pathname}${search}`, { method, headers, body, redirect: "manual" });
      const held = holding;
      holding = undefined;
      held?.arrive();
      await held?.released;
      return answer;
    },
  });
  const stop = (): Promise<void> => server.stop(true);
  afterAll(stop);
  return {
    stop,
    url: server.url.origin,
    count: (): number => passed.length,
    last: (): Headers | undefined => passed.at(-1),
    /** Keeps the next answer back, once Gatehouse has given it. */
    holdBack(): Held {
      const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      holding = { arrive: arrived.resolve, released: released.promise };
      return { arrived: arrived.promise, release: released.resolve };
    },
  };
}

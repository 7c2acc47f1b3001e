import { expect, test } from "bun:test";
import { gatehouse } from "../../src/kits/js/nuxt.ts";

type Event = Parameters<ReturnType<typeof gatehouse>>[0];
type Passed = Readonly<Record<string, unknown>> & { readonly headers: Readonly<Record<string, string>> };

const passed: { readonly target: string; readonly options: Passed }[] = [];
const handle = gatehouse({
  baseUrl: "http://127.0.0.1:3000/",
  proxyRequest: (_event, target, options) => passed.push({ target, options: { ...options } }),
});

/** An event as h3 makes it of a request that came from an address. */
const eventOf = (path: string, headers: Record<string, string>, remoteAddress?: string): Event => ({
  method: "POST",
  path,
  headers: new Headers(headers),
  context: {},
  node: {
    req: { socket: { remoteAddress } },
    res: { setHeader() {}, removeHeader() {}, appendHeader() {}, getHeaderNames: () => [], writeHead() {} },
  },
});

test.each([
  [{}, "203.0.113.7", "203.0.113.7"],
  [{ "x-forwarded-for": "198.51.100.1" }, "203.0.113.7", "198.51.100.1, 203.0.113.7"],
  [{ "x-forwarded-for": "1, ".repeat(2_000) }, "203.0.113.7", "203.0.113.7"],
  [{}, undefined, undefined],
])(
  "Q-17 what Nuxt passes on to Gatehouse ends with the address it came from, whatever a client writes: %p",
  async (headers, address, way) => {
    passed.length = 0;
    await handle(eventOf("/api/v1/auth/login?x=1", headers, address));
    expect(passed.map(({ target, options }) => [target, options.headers["x-forwarded-for"]])).toEqual([
      ["http://127.0.0.1:3000/api/v1/auth/login?x=1", way],
    ]);
  },
);

import { afterEach, expect, test } from "bun:test";
import { serveSite, type Site } from "./site.ts";

let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
});

const seen = async (headers: Record<string, string>): Promise<unknown> =>
  (await site?.get("/api/facts", headers))?.json();

test("L-06 without a trusted proxy no forwarding header changes anything", async () => {
  site = await serveSite();
  const forwarding = ["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip", "x-client-ip"];
  for (const name of forwarding) {
    expect(await seen({ [name]: "203.0.113.9", "x-forwarded-proto": "https" })).toMatchObject({
      address: "127.0.0.1",
      scheme: "http",
    });
  }
});

test("L-07 behind trusted proxies the right-most address that is none of them counts", async () => {
  site = await serveSite({ trustedProxies: ["127.0.0.0/8", "10.0.0.0/8", "2001:db8:f::/48"] });
  const cases = [
    ["203.0.113.9", "203.0.113.9"],
    ["198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["198.51.100.1, 203.0.113.9, 10.1.2.3", "203.0.113.9"],
    ["203.0.113.9, 2001:db8:f::1, 10.1.2.3", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:DB8:0:0:1::7", "2001:db8::1:0:0:7"],
    ["[2001:db8::7]:4711", "2001:db8::7"],
    ["203.0.113.9:4711", "203.0.113.9"],
    ["198.51.100.1, nonsense, 10.1.2.3", "10.1.2.3"],
    ["10.9.9.9, 10.1.2.3", "10.9.9.9"],
    ["", "127.0.0.1"],
  ] as const;
  for (const [given, expected] of cases) {
    expect(await seen({ "x-forwarded-for": given })).toMatchObject({ address: expected });
  }
});

test("a trusted proxy's X-Forwarded-Proto counts, the last one of several", async () => {
  site = await serveSite({ trustedProxies: ["127.0.0.1"] });
  expect(await seen({ "x-forwarded-proto": "https" })).toMatchObject({ scheme: "https" });
  expect(await seen({ "x-forwarded-proto": "https, http" })).toMatchObject({ scheme: "http" });
  expect(await seen({})).toMatchObject({ scheme: "http" });
});

import { afterEach, expect, test } from "bun:test";
import { serveSite, type Site } from "./site.ts";

let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
});

const from = (headers: Record<string, string>) => site?.post("/api/nothing", undefined, headers);

test("X-05 a state change that another site's page sent is refused", async () => {
  site = await serveSite({ appUrl: "https://auth.example" });
  const foreign = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example" },
    { origin: "https://auth.example.evil.example" },
    { origin: "http://auth.example" },
    { origin: "null" },
    { origin: `${site.origin}@evil.example` },
    { origin: "https://auth.example", "sec-fetch-site": "cross-site" },
  ];
  for (const headers of foreign) {
    const answer = await from(headers);
    expect(answer?.status).toBe(403);
    expect(await answer?.json()).toMatchObject({ ok: false, code: "cross_site_request" });
  }
});

test("X-05 the service's own pages, and clients that are no browser, pass", async () => {
  site = await serveSite({ appUrl: "https://auth.example" });
  const own = [
    {},
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { origin: "https://auth.example" },
    { origin: site.origin },
    { origin: "https://auth.example", "sec-fetch-site": "same-origin" },
  ];
  for (const headers of own) expect((await from(headers))?.status).toBe(200);
});

test("reading is not refused, wherever the link was", async () => {
  site = await serveSite();
  expect(
    (await site.get("/api/hello", { "sec-fetch-site": "cross-site", origin: "https://evil.example" })).status,
  ).toBe(200);
});

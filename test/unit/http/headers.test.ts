import { afterEach, expect, test } from "bun:test";
import { serveSite, type Site } from "./site.ts";

let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
});

const everyKind = ["/api/hello", "/api/items/7", "/page", "/api/broken", "/api/none", "/none", "/-/none", "/openapi"];

test("a well-formed inbound X-Request-Id is kept, any other is replaced by a fresh one", async () => {
  site = await serveSite();
  const kept = await site.get("/api/facts", { "x-request-id": "trace_1.2-3" });
  expect(kept.headers.get("x-request-id")).toBe("trace_1.2-3");
  expect(await kept.json()).toMatchObject({ id: "trace_1.2-3" });
  const fresh = new Set<string>();
  for (const id of ["", "a b", "x".repeat(129), "<script>", "ü"]) {
    const replaced = await site.get("/api/facts", { "x-request-id": id });
    const own = replaced.headers.get("x-request-id") ?? "";
    expect(own).toMatch(/^[\w-]{16}-[0-9a-z]+$/);
    expect(await replaced.json()).toMatchObject({ id: own });
    fresh.add(own);
  }
  expect(fresh.size).toBe(5);
});

test("X-03 every answer carries nosniff, a Referrer-Policy and an X-Request-Id", async () => {
  site = await serveSite();
  for (const path of everyKind) {
    const { headers } = await site.get(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe(
      path === "/page" || path === "/openapi" ? "strict-origin-when-cross-origin" : "no-referrer",
    );
    expect(headers.get("x-request-id")).not.toBeNull();
  }
});

test("X-01 answers carry HSTS of a year when the public address is https, and none when it is not", async () => {
  site = await serveSite({ appUrl: "https://auth.example" });
  for (const path of everyKind) {
    const { headers } = await site.get(path);
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  }
  await site.stop();
  site = await serveSite();
  expect((await site.get("/api/hello")).headers.get("strict-transport-security")).toBeNull();
});

test("X-02 every page has a policy without plug-ins, foreign bases or frames", async () => {
  site = await serveSite();
  for (const path of ["/page", "/openapi"]) {
    const policy = (await site.get(path)).headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toContain("unsafe");
  }
});

test("X-04 no answer carries a CORS header, whatever the origin", async () => {
  site = await serveSite();
  for (const origin of ["https://evil.example", "null", site.origin]) {
    const plain = await site.get("/api/hello", { origin });
    const preflight = await fetch(`${site.origin}/api/people`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    for (const { headers } of [plain, preflight]) {
      expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
    expect(preflight.status).toBe(405);
  }
});

test("JSON answers are not stored, refusals included", async () => {
  site = await serveSite();
  for (const path of ["/api/items/7", "/api/none", "/api/broken"]) {
    expect((await site.get(path)).headers.get("cache-control")).toBe("no-store");
  }
});

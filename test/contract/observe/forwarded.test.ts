import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { controlOf } from "../../support/maintenance.ts";
import { insideOf, rawTargets, spellingCount } from "../../support/raw.targets.ts";
import { startTarget, type Target } from "../../support/target.ts";
import { exchange } from "../../unit/http/site.ts";
import { lighthouseSecret, recording } from "../inspect/lighthouse.fixture.ts";

const paths = [
  "/metrics",
  "/metrics/",
  "/metrics?x=1",
  "/lighthouse",
  "/lighthouse/",
  "/lighthouse/runtime",
  "/lighthouse/sign-in",
  "/lighthouse/sign-out",
  "/lighthouse/assets/style.css",
  "/lighthouse/api/inspects",
  "/lighthouse/api/none",
] as const;
const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"];
const forwarding = [
  "Forwarded: for=203.0.113.7",
  "X-Forwarded-For: 127.0.0.1",
  "X-Forwarded-Proto: https",
  "X-Forwarded-Host: 127.0.0.1",
  "X-Real-IP: 203.0.113.7",
  "Via: 1.1 proxy",
  "CF-Connecting-IP: 203.0.113.7",
  "True-Client-IP: 203.0.113.7",
  "CDN-Loop: proxy",
  "X-Envoy-External-Address: 203.0.113.7",
  "X-Forwarded-For:",
] as const;

async function bytes(target: Target, method: string, path: string, lines: readonly string[], body = "") {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${target.port}`,
    "X-Request-Id: x-30",
    "Connection: close",
    `Authorization: Bearer ${lighthouseSecret}`,
    ...lines,
    ...(body === "" ? [] : [`Content-Length: ${body.length}`]),
  ];
  const answer = await exchange(target.port, `${head.join("\r\n")}\r\n\r\n${body}`);
  return answer.replace(/^Date: .*\r\n/im, "");
}

describe("X-30 a request that a proxy forwarded finds metrics and Lighthouse absent, byte for byte", () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget({ roles: ["http"], env: { ...recording, API_TRUSTED_PROXIES: "127.0.0.1/32" } });
  });
  afterAll(() => target.stop());

  const alike = async (lines: readonly string[], body = "", asked = methods): Promise<void> => {
    for (const method of asked) {
      const absent = await bytes(target, method, "/absent", lines, body);
      for (const path of paths)
        expect({ method, path, answer: await bytes(target, method, path, lines, body) }).toEqual({
          method,
          path,
          answer: absent,
        });
    }
  };

  test.each(forwarding)("%s", async (header) => {
    await alike([header], "", ["GET", "POST"]);
    expect(await bytes(target, "GET", "/metrics", [header])).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[^]*\r\n\r\n$/);
  });

  test("for every method", () => alike(["X-Forwarded-For: 203.0.113.7"]));

  test.each([
    [["Content-Type: application/x-www-form-urlencoded"], `secret=${lighthouseSecret}`],
    [["Content-Type: application/json"], "{not json"],
    [["Content-Type: application/json"], `"${"x".repeat(70_000)}"`],
    [["Origin: https://evil.example"], ""],
    [["Accept: application/json"], ""],
  ] as const)("whatever is sent along: %j", (lines, body) => alike(["Via: 1.1 proxy", ...lines], body));

  test("during maintenance too", async () => {
    const control = controlOf(target);
    await control.enable();
    await alike(["Via: 1.1 proxy"], "", ["GET", "POST"]);
    expect(await bytes(target, "GET", "/metrics", ["Via: 1.1 proxy"])).toStartWith("HTTP/1.1 503");
    expect(await bytes(target, "GET", "/metrics", [])).toStartWith("HTTP/1.1 200");
    await control.disable();
  });

  test("however the path is spelt", async () => {
    expect(spellingCount).toBeGreaterThanOrEqual(60);
    for (const raw of rawTargets) {
      const lines = ["Via: 1.1 proxy"];
      // Anybody with its token may read readiness in detail, forwarded or not.
      expect({ raw, inside: insideOf(await bytes(target, "GET", raw, lines)) }).toEqual({ raw, inside: [] });
    }
  });

  test("what comes from the host itself is served", async () => {
    expect(await bytes(target, "GET", "/metrics", [])).toContain("http_requests_total");
    expect(await bytes(target, "GET", "/lighthouse/api/inspects", [])).toStartWith("HTTP/1.1 200");
    expect(await bytes(target, "GET", "/x/../metrics", [])).toContain("http_requests_total");
  });
});

test("METRICS_BEHIND_PROXY and LIGHTHOUSE_BEHIND_PROXY serve what a proxy forwards, each its own", async () => {
  const forwarded = ["X-Forwarded-For: 203.0.113.7"];
  for (const [name, served] of [
    ["METRICS_BEHIND_PROXY", "/metrics"],
    ["LIGHTHOUSE_BEHIND_PROXY", "/lighthouse/api/inspects"],
  ] as const) {
    const target = await startTarget({ roles: ["http"], env: { ...recording, [name]: "true" } });
    for (const path of ["/metrics", "/lighthouse/api/inspects"])
      expect(await bytes(target, "GET", path, forwarded)).toStartWith(`HTTP/1.1 ${path === served ? 200 : 404}`);
    await target.stop();
  }
});

test("X-30 a listener for metrics alone obeys the same rule", async () => {
  const forwarded = { headers: { "x-forwarded-for": "203.0.113.7" } };
  for (const [behind, status] of [
    ["false", 404],
    ["true", 200],
  ] as const) {
    const target = await startTarget({
      ownProcess: true,
      roles: ["worker"],
      env: { METRICS_BEHIND_PROXY: behind },
    });
    const url = /"message":"serving metrics"[^\n]*?"url":"([^"]+)"/.exec(target.logs())?.[1] ?? "";
    const absent = await fetch(new URL("/absent", url), forwarded);
    const found = await fetch(new URL("/metrics", url), forwarded);
    expect(found.status).toBe(status);
    if (status === 404)
      expect([...found.headers].filter(([name]) => name !== "date")).toEqual(
        [...absent.headers].filter(([name]) => name !== "date"),
      );
    expect((await fetch(new URL("/metrics", url))).status).toBe(200);
    await target.stop();
  }
});

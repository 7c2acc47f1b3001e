import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { exchange, serveSite, type Site } from "./site.ts";

let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
});

const manyHeaders = (count: number): string => Array.from({ length: count }, (_, at) => `X-H${at}: 1\r\n`).join("");

test("HTTP/1.0 without Host is answered properly", async () => {
  site = await serveSite();
  expect(await exchange(site.port, "GET /api/hello HTTP/1.0\r\n\r\n")).toEndWith("\r\n\r\nhello ada");
  const facts = await exchange(site.port, "GET /api/facts?x=/y HTTP/1.0\r\n\r\n");
  expect(facts).toContain('"address":"127.0.0.1"');
  expect(await exchange(site.port, "GET /none HTTP/1.0\r\n\r\n")).toStartWith("HTTP/1.1 404");
  const posted = await exchange(
    site.port,
    'POST /api/people HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"name":"ada"}',
  );
  expect(posted).toContain('"name":"ada"');
});

test("a Host of any length or shape reaches the same routes", async () => {
  site = await serveSite();
  for (const host of ["a", "ab:1", "abc", "auth.example", "[::1]:3000", "a b", ""]) {
    expect(await exchange(site.port, `GET /api/hello HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toEndWith("hello ada");
  }
});

test("HTTP/1.0 HEAD and GET with a body are answered", async () => {
  site = await serveSite();
  const head = await exchange(site.port, "HEAD /api/hello HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}");
  expect(head).toStartWith("HTTP/1.1 200");
  expect(head).not.toContain("hello ada");
  expect(await exchange(site.port, "GET /api/hello HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}")).toContain("hello ada");
});

test("X-09 more than 100 headers and over-long ones are 431", async () => {
  site = await serveSite();
  expect(await exchange(site.port, `GET /api/hello HTTP/1.1\r\nHost: a\r\n${manyHeaders(99)}\r\n`)).toStartWith(
    "HTTP/1.1 200",
  );
  const many = await exchange(site.port, `GET /api/hello HTTP/1.1\r\nHost: a\r\n${manyHeaders(100)}\r\n`);
  expect(many).toStartWith("HTTP/1.1 431");
  expect(many).toContain('"code":"headers_too_large"');
  for (const head of [manyHeaders(1000), `X-Long: ${"x".repeat(64 * 1024)}\r\n`]) {
    expect(await exchange(site.port, `GET /api/hello HTTP/1.1\r\nHost: a\r\n${head}\r\n`)).toStartWith("HTTP/1.1 431");
  }
});

test("X-07 a request id with a line break never reaches an answer", async () => {
  site = await serveSite();
  const answer = await exchange(
    site.port,
    "GET /api/hello HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\rSet-Cookie: b=c\r\n\r\n",
  );
  expect(answer.toLowerCase()).not.toContain("set-cookie");
});

test("after drain every answer asks its client to go, and new connections are still served", async () => {
  site = await serveSite();
  expect((await site.get("/api/hello")).headers.get("connection")).not.toBe("close");
  site.server.drain();
  for (const path of ["/api/hello", "/api/none", "/none", "/api/broken"]) {
    expect((await site.get(path)).headers.get("connection")).toBe("close");
  }
  const raw = await exchange(site.port, "GET /api/hello HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(raw.toLowerCase()).toContain("connection: close");
});

test("stop lets a request in flight finish, and tells its client to go", async () => {
  site = await serveSite();
  const slow = site.get("/api/slow");
  await until(() => site?.server.pending() === 1);
  const stopped = site.server.stop(5000);
  site.letSlowFinish();
  const answer = await slow;
  expect(await answer.text()).toBe("slow");
  expect(answer.headers.get("connection")).toBe("close");
  await stopped;
  expect(site.server.pending()).toBe(0);
  expect(await site.get("/api/hello").catch(() => "refused")).toBe("refused");
});

test("stop cuts what has not finished at its deadline, half a request included", async () => {
  site = await serveSite();
  const half = connect(site.port, "127.0.0.1", () => half.write("GET /api/hello HTTP/1.1\r\nHo"));
  half.on("error", () => undefined);
  const slow = site.get("/api/slow").catch(() => "cut");
  await until(() => site?.server.pending() === 1);
  const started = performance.now();
  await site.server.stop(100);
  expect(performance.now() - started).toBeLessThan(2000);
  expect(await slow).toBe("cut");
  half.destroy();
});

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error("waited in vain");
    await Bun.sleep(5);
  }
}

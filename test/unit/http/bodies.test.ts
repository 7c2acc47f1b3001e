import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { exchange, serveSite, type Site } from "./site.ts";

let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
});

const chunked = (size: number, chunk = 1000): string =>
  `${`${chunk.toString(16)}\r\n${"x".repeat(chunk)}\r\n`.repeat(Math.ceil(size / chunk))}0\r\n\r\n`;

test("malformed JSON, JSON that is no object and bytes that are no text are 400", async () => {
  site = await serveSite();
  for (const body of ["{", '{"name":"ada"', "[]", "null", '"ada"', "7", "{}{}", "\u0000"]) {
    const answer = await site.post("/api/people", body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_payload" });
  }
  const bytes = new Uint8Array([
    ...new TextEncoder().encode('{"name":"'),
    0xff,
    0xfe,
    ...new TextEncoder().encode('"}'),
  ]);
  const headers = { "content-type": "application/json" };
  expect((await fetch(`${site.origin}/api/people`, { method: "POST", headers, body: bytes })).status).toBe(400);
});

test("X-05 a body that is not JSON is 415, whatever is in it", async () => {
  site = await serveSite();
  const body = '{"name":"ada"}';
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/json",
    "",
  ]) {
    for (const path of ["/api/people", "/api/nothing"]) {
      const answer = await site.post(path, body, { "content-type": type });
      expect(answer.status).toBe(415);
      expect(await answer.json()).toMatchObject({ code: "unsupported_media_type" });
    }
  }
  expect((await site.post("/api/people", body, { "content-type": "Application/JSON; charset=utf-8" })).status).toBe(
    200,
  );
});

test("a body in an encoding is 415, not a body that is damaged", async () => {
  site = await serveSite();
  const headers = { "content-type": "application/json" };
  for (const encoding of ["gzip", "br", "identity, gzip"]) {
    const body = Bun.gzipSync('{"name":"ada"}');
    const encoded = { ...headers, "content-encoding": encoding };
    const answer = await fetch(`${site.origin}/api/people`, { method: "POST", headers: encoded, body });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ code: "unsupported_media_type" });
  }
  const plain = { ...headers, "content-encoding": "Identity" };
  expect((await site.post("/api/people", '{"name":"ada"}', plain)).status).toBe(200);
});

test("an empty body is an empty object, whatever the content type says", async () => {
  site = await serveSite();
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
    expect((await site.post("/api/nothing", "", { "content-type": type })).status).toBe(200);
  }
  expect((await site.post("/api/nothing", undefined, {})).status).toBe(200);
});

test("unknown fields are ignored", async () => {
  site = await serveSite();
  const answer = await site.post("/api/people", JSON.stringify({ name: "ada", admin: true }));
  expect(await answer.json()).toEqual({ ok: true, name: "ada", age: null });
});

test("X-06 keys that reach a prototype change nothing", async () => {
  site = await serveSite();
  const hostile =
    '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"deep":{"__proto__":{"admin":1},"a":[{"prototype":1}]}}';
  const answer = await site.post("/api/anything", hostile);
  expect(await answer.json()).toEqual({ ok: true, body: { deep: { a: [{}] } } });
  expect(Object.hasOwn(Object.prototype, "admin")).toBe(false);
  for (const name of ["__proto__", "constructor", "prototype", "toString"]) {
    expect((await site.get(`/api/hello?${name}=1&${name}[admin]=1`, { [name]: "1", cookie: `${name}=1` })).status).toBe(
      200,
    );
    expect((await site.get(`/api/items/${name}`)).status).toBe(200);
  }
});

test("X-09 nesting deeper than 20 levels is 400", async () => {
  site = await serveSite();
  const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
  expect((await site.post("/api/anything", nested(20))).status).toBe(200);
  expect((await site.post("/api/anything", nested(21))).status).toBe(400);
  expect((await site.post("/api/anything", `{"a":${"[".repeat(8_000)}${"]".repeat(8_000)}}`)).status).toBe(400);
});

test("X-09 a body of 16 KiB passes, a longer one is 413 with the connection closed", async () => {
  site = await serveSite();
  const padded = (bytes: number): string => `{"name":"ada"}${" ".repeat(bytes - 14)}`;
  expect((await site.post("/api/people", padded(16_384))).status).toBe(200);
  for (const bytes of [16_385, 2 * 1024 * 1024]) {
    const answer = await site.post("/api/people", padded(bytes));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: "payload_too_large" });
  }
  const announced = await exchange(
    site.port,
    "POST /api/people HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n{",
  );
  expect(announced).toStartWith("HTTP/1.1 413");
  expect(announced.toLowerCase()).toContain("connection: close");
});

test("X-09 a chunked body is cut at the limit, without being held in memory", async () => {
  site = await serveSite();
  const head =
    "POST /api/people HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
  const answer = await exchange(site.port, head + chunked(70_000));
  expect(answer).toStartWith("HTTP/1.1 413");
  expect(answer).toContain("payload_too_large");
  const before = process.memoryUsage.rss();
  await Promise.all(
    Array.from({ length: 8 }, () => exchange(site?.port ?? 0, head + chunked(4_000_000)).catch(() => "")),
  );
  // The client's own copies of what it sends are in this process too: 8 × 4 MB, several times over.
  expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024);
});

test("X-07 control characters in a text field are 400, and its spaces and form are made one", async () => {
  site = await serveSite();
  for (const name of ["ada\r\nBcc: eve", "ada\u0000", "a\u0085da", "a\u2028da", "\ud800ada"]) {
    const answer = await site.post("/api/people", JSON.stringify({ name }));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      fields: { name: { code: "invalid_characters", message: "This must not contain control characters." } },
    });
  }
  expect(await (await site.post("/api/people", JSON.stringify({ name: "  Zoe\u0308 " }))).json()).toMatchObject({
    name: "Zoë",
  });
});

test("X-09 many large bodies that never end fill no memory, and keep no ordinary request waiting", async () => {
  site = await serveSite();
  const { port } = site;
  const head =
    "POST /api/anything HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n";
  const large = JSON.stringify({ name: "ada", more: "x".repeat(15_000) });
  const post = async (body: string) => (await site?.post("/api/people", body))?.status;
  const refused = Promise.withResolvers<string>();
  const held = Array.from({ length: 900 }, () => {
    const socket = connect(port, "127.0.0.1", () => socket.write(head + " ".repeat(15_000)));
    socket.on("error", () => undefined).on("data", (bytes) => refused.resolve(bytes.toString("latin1")));
    return socket;
  });
  try {
    const first = await refused.promise;
    expect(first).toStartWith("HTTP/1.1 503");
    expect(first.toLowerCase()).toContain("retry-after: 1");
    expect(await post('{"name":"ada"}')).toBe(200);
  } finally {
    for (const socket of held) socket.destroy();
  }
  const deadline = performance.now() + 60_000;
  while ((await post(large)) !== 200 && performance.now() < deadline) await Bun.sleep(10);
  expect(await post(large)).toBe(200);
});

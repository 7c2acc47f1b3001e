import { afterEach, expect, test } from "bun:test";
import { serveSite, type Site } from "./site.ts";

let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
});

test("X-10 an unforeseen error is told to the log under the request id, and nothing of it to the client", async () => {
  site = await serveSite();
  const answer = await site.get("/api/broken", { "x-request-id": "ada-1" });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    ok: false,
    error: "internal error",
    code: "internal_error",
    request_id: "ada-1",
  });
  const line = site.lines.find(({ level }) => level === "error");
  expect(line?.fields).toMatchObject({ request_id: "ada-1" });
  expect(String(line?.fields["error"])).toContain("select * from users");
});

test("a database or cache that can't take the request is 503 with Retry-After", async () => {
  site = await serveSite();
  for (const path of ["/api/busy", "/api/uncached"]) {
    const answer = await site.get(path);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await answer.json()).toMatchObject({ ok: false, code: "unavailable", error: "service unavailable" });
  }
});

test("while the database can't be used, twenty lines a minute tell of it, and further requests are logged below the usual level", async () => {
  site = await serveSite();
  for (let nth = 0; nth < 50; nth += 1) expect((await site.get("/api/busy")).status).toBe(503);
  const told = site.lines.filter(({ message }) => message === "request failed");
  const levels = Map.groupBy(told, ({ level }) => level);
  expect([levels.get("error")?.length, levels.get("debug")?.length]).toEqual([20, 30]);
  // What else fails is told each time, and another reason is news.
  for (let nth = 0; nth < 30; nth += 1) await site.get("/api/broken");
  await site.get("/api/uncached");
  expect(site.lines.filter(({ level }) => level === "error")).toHaveLength(51);
});

test("a refusal keeps its Retry-After and the cookies it clears", async () => {
  site = await serveSite();
  const answer = await site.post("/api/locked");
  expect(answer.status).toBe(423);
  expect(answer.headers.get("retry-after")).toBe("90");
  expect(answer.headers.getSetCookie()).toEqual([
    "auth_access=; Max-Age=0; Path=/",
    "auth_refresh=; Max-Age=0; Path=/",
  ]);
  expect(await answer.json()).toMatchObject({ ok: false, code: "account_locked", error: "account locked" });
  expect(site.lines).toEqual([]);
});

test("a body that breaks its schema is 400 and names each field, never its value", async () => {
  site = await serveSite();
  const answer = await site.post("/api/people", JSON.stringify({ age: "hunter2" }));
  expect(answer.status).toBe(400);
  const body = await answer.text();
  expect(JSON.parse(body)).toMatchObject({
    code: "invalid_payload",
    error: "invalid payload",
    fields: {
      name: { code: "required", message: "This is required." },
      age: { code: "invalid_type", message: "This must be a number." },
    },
  });
  expect(body).not.toContain("hunter2");
});

test("a response schema strips what must not leave, and an answer that breaks it is 500", async () => {
  site = await serveSite();
  expect(await (await site.get("/api/leaky")).json()).toEqual({ greeting: "hello" });
  const broken = await site.get("/api/mistyped");
  expect(broken.status).toBe(500);
  expect(await broken.json()).toMatchObject({ code: "internal_error" });
});

test("X-10 an unknown path is 404, in JSON under /api and empty elsewhere", async () => {
  site = await serveSite();
  for (const path of ["/api", "/api/none", "/api/v1/auth/none", "/api//hello"]) {
    const answer = await site.get(path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ ok: false, code: "not_found" });
  }
  for (const path of ["/", "/none", "/apis", "/.env", "/-/maintenance/enable", "/%2e%2e/etc/passwd", "/%ff", "/%00"]) {
    const answer = await site.get(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe("");
    expect(answer.headers.get("content-type")).toBeNull();
  }
});

test("X-10 a wrong method on a known path is 405 and says which there are", async () => {
  site = await serveSite();
  const posted = await site.post("/api/items/7");
  expect(posted.status).toBe(405);
  expect(posted.headers.get("allow")).toBe("GET, HEAD");
  expect(await posted.json()).toMatchObject({ ok: false, code: "method_not_allowed" });
  const got = await site.get("/api/people?name=ada");
  expect(got.status).toBe(405);
  expect(got.headers.get("allow")).toBe("POST");
  // The router takes both paths for one.
  const slashed = await site.get("/api/people/");
  expect(slashed.status).toBe(405);
  expect(slashed.headers.get("allow")).toBe("POST");
});

test("every GET route answers HEAD, without the body", async () => {
  site = await serveSite();
  for (const path of ["/api/hello", "/api/items/7?x=1", "/page", "/api/none", "/none", "/api/broken"]) {
    const got = await site.get(path);
    const asked = await fetch(`${site.origin}${path}`, { method: "HEAD" });
    expect(asked.status).toBe(got.status);
    expect(asked.headers.get("content-length")).toBe(got.headers.get("content-length"));
    expect(await asked.text()).toBe("");
  }
});

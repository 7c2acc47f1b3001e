import { afterAll, expect, test } from "bun:test";
import { createClient } from "../../src/client/index.ts";
import { controlOf } from "../support/maintenance.ts";
import { stage } from "../support/stage.ts";

const { target } = await stage();
/** A server that stands where the service should be. */
const elsewhere = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch({ url }) {
    const { pathname } = new URL(url);
    if (pathname.endsWith("/me")) return new Promise<Response>(() => undefined);
    if (pathname.endsWith("/sessions")) return new Response("<h1>Sign in to the Wi-Fi</h1>");
    if (pathname.endsWith("/identities")) return Response.redirect("/login");
    return new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "retry-after": "3" } });
  },
});
afterAll(() => elsewhere.stop(true));

const client = createClient({ baseUrl: `http://127.0.0.1:${elsewhere.port}/` });
const absent = { ok: false, status: 0, error: expect.any(String) } as const;

test("what keeps a call from an answer is a value", async () => {
  const aborting = new AbortController();
  const aborted = client.getMe({ signal: aborting.signal });
  aborting.abort();
  expect(await aborted).toEqual({ ...absent, code: "aborted" });
  expect(await client.getMe({ signal: AbortSignal.abort() })).toEqual({ ...absent, code: "aborted" });
  expect(await client.getMe({ timeoutMs: 50 })).toEqual({ ...absent, code: "timeout" });
  const nobody = createClient({ baseUrl: "http://127.0.0.1:1" });
  expect(await nobody.login({ login: "ada", password: "a long walk" })).toEqual({ ...absent, code: "network" });
  expect(await client.listIdentities()).toEqual({ ...absent, code: "network" });
});

test("an answer that is not the service's is told from one that is", async () => {
  expect(await client.listSessions()).toEqual({ ...absent, status: 200, code: "invalid_response" });
  expect(await client.hello()).toMatchObject({ code: "unavailable", status: 502, retryAfterSeconds: 3 });
});

test("maintenance has a code of its own, and says when to come back", async () => {
  const control = controlOf(target);
  expect((await control.enable()).status).toBe(200);
  const served = createClient({ baseUrl: target.url });
  const refusal = { code: "maintenance", status: 503, retryAfterSeconds: expect.any(Number) };
  expect(await served.login({ login: "ada", password: "a long walk" })).toMatchObject(refusal);
  expect(await served.getMe()).toMatchObject(refusal);
  await control.disable();
  expect(await served.getMe()).toMatchObject({ code: "unauthorized" });
});

import { afterAll, describe, expect, test } from "bun:test";
import { createClient, type ClientOptions, type Kept } from "../../src/client/index.ts";
import { createGate } from "../../src/kits/js/gate.ts";
import { auth } from "../support/auth.ts";
import { stage } from "../support/stage.ts";

const { target, rows, people } = await stage();

interface Arrived {
  readonly line: string;
  readonly authorization: string | null;
  readonly body: string;
}

/** An API of an app behind the gate, and a place elsewhere to which it redirects. */
const gate = createGate({ baseUrl: target.url });
const arrived: Arrived[] = [];
const elsewhere: Request[] = [];
const thief = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => (elsewhere.push(request), new Response("taken")),
});
const api = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const authorization = request.headers.get("authorization");
    arrived.push({ line: `${request.method} ${pathname}`, authorization, body: await request.text() });
    if (pathname === "/away") return Response.redirect(thief.url.href, 307);
    if (pathname === "/own-401") return new Response("wrong PIN", { status: 401 });
    const { user, headers, response } = await gate(request, pathname === "/fresh" ? { maxAge: 60 } : {});
    return response ?? Response.json({ of: user.id }, { headers });
  },
});
afterAll(() => Promise.all([thief.stop(true), api.stop(true)]));
const apiUrl = api.url.origin;

async function signedIn(options: ClientOptions = {}) {
  const person = await people.register("ada");
  let kept: Kept | null = null;
  let refreshes = 0;
  const ended: string[] = [];
  const client = createClient({
    baseUrl: target.url,
    origins: [apiUrl],
    storage: { load: () => kept, save: (next) => void (kept = next), clear: () => void (kept = null) },
    fetch(url, init) {
      if (url.endsWith(auth("refresh"))) refreshes += 1;
      return fetch(url, init);
    },
    onSignedOut: (reason) => ended.push(reason),
    ...options,
  });
  expect(await client.login({ login: person.email, password: person.password })).toMatchObject({ ok: true });
  const spoil = (): void => {
    if (kept?.session !== undefined) kept = { ...kept, session: { ...kept.session, access_token: "x" } };
  };
  return { person, client, spoil, ended, refreshes: () => refreshes };
}
const since = async (work: () => Promise<unknown>): Promise<Arrived[]> => {
  const before = arrived.length;
  await work();
  return arrived.slice(before);
};

describe("fetch of the client", () => {
  test("sends the token to an API of the app, with what the app sends", async () => {
    const { person, client } = await signedIn();
    const sent = await since(async () => {
      const answer = await client.fetch(`${apiUrl}/orders`, { method: "PUT", body: "tea", headers: { "x-own": "1" } });
      expect(await answer.json()).toEqual({ of: person.id });
    });
    expect(sent).toEqual([{ line: "PUT /orders", authorization: expect.stringMatching(/^Bearer ./), body: "tea" }]);
  });

  test("refreshes once for many requests that were refused, and sends each of them again, its body too", async () => {
    const { person, client, spoil, ended, refreshes } = await signedIn();
    spoil();
    const stream = new Response("streamed").body;
    const request = new Request(`${apiUrl}/orders`, { method: "POST", body: "asked" });
    const sent = await since(async () => {
      const answers = await Promise.all([
        client.fetch(request),
        client.fetch(`${apiUrl}/orders`, { method: "POST", body: stream }),
        ...Array.from({ length: 8 }, () => client.fetch(new URL(`${apiUrl}/orders`), { method: "POST", body: "tea" })),
      ]);
      for (const answer of answers) expect(await answer.json()).toEqual({ of: person.id });
    });
    expect(refreshes()).toBe(1);
    expect(sent.map(({ body }) => body).toSorted()).toEqual(
      ["asked", "asked", "streamed", "streamed", ...Array.from({ length: 16 }, () => "tea")].toSorted(),
    );
    expect(ended).toEqual([]);
  });

  test("hands an API's own 401 on after one more try, and signs nobody out for it", async () => {
    const { client, ended, refreshes } = await signedIn();
    const sent = await since(async () => {
      expect(await (await client.fetch(`${apiUrl}/own-401`)).text()).toBe("wrong PIN");
    });
    expect([sent.length, refreshes(), ended]).toEqual([2, 1, []]);
    expect((await client.fetch(`${apiUrl}/orders`)).status).toBe(200);
  });

  test("does not refresh where the API wants a fresh proof of who is there", async () => {
    const { person, client, refreshes } = await signedIn();
    rows.run("update auth_sessions set proved_at = 1 where user_id = ?", person.id);
    const refused = await client.fetch(`${apiUrl}/fresh`);
    expect([refused.status, refreshes()]).toEqual([401, 0]);
    expect(await refused.json()).toMatchObject({ code: "reauthentication_required" });
  });

  test("notices that the session is over, once", async () => {
    const { person, client, spoil, ended } = await signedIn();
    rows.run("update auth_sessions set revoked_at = 1 where user_id = ?", person.id);
    spoil();
    const answers = await Promise.all(Array.from({ length: 3 }, () => client.fetch(`${apiUrl}/orders`)));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(ended).toEqual(["ended"]);
  });

  test("Q-10 sends nothing to an origin that was not named, and no token after a redirect", async () => {
    const { client } = await signedIn();
    await expect(client.fetch(`${thief.url.href}orders`)).rejects.toThrow("none of the origins");
    await expect(client.fetch(new Request("http://127.0.0.1.evil.example/"))).rejects.toThrow("none of the origins");
    await expect(client.fetch(`${apiUrl}/away`, { method: "POST", body: "tea" })).rejects.toThrow();
    await expect(client.fetch(`${apiUrl}/away`, { redirect: "follow" })).rejects.toThrow();
    expect(elsewhere).toEqual([]);
  });

  test("passes on what keeps a request from being answered, and an abort", async () => {
    const { client } = await signedIn({ origins: [apiUrl, "http://127.0.0.1:9"] });
    await expect(client.fetch("http://127.0.0.1:9/")).rejects.toThrow();
    await expect(client.fetch(`${apiUrl}/orders`, { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

import { afterAll, describe, expect, test } from "bun:test";
import { auth, type Person } from "../support/auth.ts";
import { createClient as createBrowser, type Client as Browser } from "../support/client.ts";
import { clientIn } from "../support/client.library.ts";
import { startGateway } from "../support/gateway.ts";
import { stage } from "../support/stage.ts";

const { target, rows, people } = await stage();
const gateway = startGateway(target.url);
afterAll(() => gateway.stop());

const refreshed = `POST ${auth("refresh")} 200`;
const refused = `POST ${auth("refresh")} 401`;
const generationOf = ({ id }: Person): unknown =>
  rows.get("select generation, revoked_at from auth_sessions where user_id = ?", id);

/** Returns a browser at the gateway whose access cookie has gone, as it does when its time is up. */
function expired({ client }: Person): Browser {
  const browser = createBrowser(gateway.url);
  browser.setCookie("auth_refresh", client.cookie("auth_refresh") ?? "");
  return browser;
}
/** Resolves to how often that line passed the gateway while the work was done. */
async function during(line: string, work: () => Promise<void>): Promise<number> {
  const before = gateway.count(line);
  await work();
  return gateway.count(line) - before;
}
const codesOf = (results: readonly ({ ok: true } | { ok: false; code: string })[]): string[] =>
  results.map((result) => (result.ok ? "ok" : result.code));

describe("a client whose access token has expired", () => {
  test("makes one refresh for a burst of requests, and sends each of them again, its body too", async () => {
    const ada = await people.register("ada");
    const client = clientIn(expired(ada));
    const refreshes = await during(refreshed, async () => {
      const results = await Promise.all([
        ...Array.from({ length: 10 }, () => client.getMe()),
        client.updateProfile({ display_name: "Ada Lovelace" }),
        client.listSessions(),
      ]);
      expect(codesOf(results)).toEqual(results.map(() => "ok"));
      expect(results[10]).toMatchObject({ user: { display_name: "Ada Lovelace" } });
    });
    expect(refreshes).toBe(1);
    expect(generationOf(ada)).toEqual({ generation: 2, revoked_at: null });
  });

  test("shares the refresh that was asked for with the one that a request needs", async () => {
    const ada = await people.register("ada");
    const client = clientIn(expired(ada));
    const refreshes = await during(refreshed, async () => {
      const [asked, me] = await Promise.all([client.refresh(), client.getMe()]);
      expect(asked).toMatchObject({ ok: true, user: { id: ada.id } });
      expect(me).toMatchObject({ ok: true, user: { id: ada.id } });
    });
    expect(refreshes).toBe(1);
  });

  test("is not signed out where a page that it can't hear of refreshes at the same time", async () => {
    const ada = await people.register("ada");
    const reasons: string[] = [];
    const page = () => clientIn(ada.client, { onSignedOut: (reason) => reasons.push(reason) });
    const results = await Promise.all(Array.from({ length: 4 }, () => page().refresh()));
    expect(codesOf(results)).toEqual(results.map(() => "ok"));
    expect(reasons).toEqual([]);
    expect(generationOf(ada)).toMatchObject({ revoked_at: null });
  });

  test("takes the 401 as the answer where it is told to", async () => {
    const client = clientIn(expired(await people.register("ada")));
    const refreshes = await during(refreshed, async () => {
      expect(await client.getMe({ refresh: false })).toMatchObject({ code: "unauthorized", status: 401 });
    });
    expect(refreshes).toBe(0);
  });

  test("answers with what kept it from a refresh, not with the 401 before it", async () => {
    const browser = expired(await people.register("ada"));
    const client = clientIn(browser, {
      fetch: async (url, init) => {
        if (url.endsWith("/refresh")) throw new TypeError("the network is down");
        return fetch(url, { ...init, credentials: "omit" });
      },
    });
    expect(await client.getMe()).toMatchObject({ code: "network", status: 0 });
  });
});

describe("a session that is over", () => {
  test("is told once, however many requests find out", async () => {
    const ada = await people.register("ada");
    const reasons: string[] = [];
    const client = clientIn(await ada.login(), { onSignedOut: (reason) => reasons.push(reason) });
    expect(codesOf([await client.getMe()])).toEqual(["ok"]);
    expect((await ada.client.post(auth("logout-all"))).status).toBe(200);
    const results = await Promise.all(Array.from({ length: 8 }, () => client.getMe()));
    expect(codesOf(results)).toEqual(results.map(() => "unauthorized"));
    expect(codesOf([await client.hello()])).toEqual(["unauthorized"]);
    expect(reasons).toEqual(["ended"]);
    expect(await client.login({ login: ada.email, password: ada.password })).toMatchObject({ ok: true });
    expect(await client.logout()).toEqual({ ok: true });
    expect(reasons).toEqual(["ended", "signed_out"]);
  });

  test("is nothing to tell of to who was never signed in", async () => {
    const reasons: string[] = [];
    const client = clientIn(createBrowser(gateway.url), { onSignedOut: (reason) => reasons.push(reason) });
    const refusals = await during(refused, async () => {
      expect(await client.getMe()).toMatchObject({ code: "unauthorized" });
      expect(await client.login({ login: "nobody", password: "a wrong guess" })).toMatchObject({
        code: "invalid_credentials",
      });
    });
    expect(refusals).toBe(1);
    expect(reasons).toEqual([]);
  });
});

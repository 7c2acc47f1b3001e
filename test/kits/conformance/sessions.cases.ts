import { describe, expect, test } from "bun:test";
import { auth, browserWith, hour, isServed, refreshes, secretsOf } from "../../support/auth.ts";
import { pages, refusalOf, unauthorized, type Suite } from "./suite.ts";

/** How sessions go on and end behind a gate, and what pages of other sites can do. */
export function sessionCases(suite: Suite): void {
  const { rows, people, open, stranger, browserOf } = suite;

  describe("sessions", () => {
    test("Q-05 a renewed access cookie is handed on, and never in an answer that a cache may keep", async () => {
      const ada = await people.register("ada");
      const { refresh } = secretsOf(ada.client);
      const tries: [string, number][] = [
        ["/whoami", 200],
        ["/cached", 200],
        ["/public", 200],
        ["/admin-only", 403],
      ];
      for (const [path, status] of tries) {
        const answer = await browserWith(open(), { refresh }).get(path);
        expect({ path, status: answer.status, names: answer.setCookies.map(({ name }) => name) }).toEqual({
          path,
          status,
          names: ["auth_access"],
        });
        expect(answer.headers.get("cache-control")).toBe("private, no-store");
        expect(answer.headers.get("cdn-cache-control")).toBeNull();
        expect(answer.setCookies[0]?.attributes.has("httponly")).toBe(true);
        const renewed = answer.setCookies[0]?.value ?? "";
        expect((await browserWith(open(), { access: renewed }).get("/whoami")).status).toBe(200);
      }
    });

    test("Q-01 ten requests at once without an access cookie, and one that was just swapped: nobody is signed out", async () => {
      const ada = await people.register("ada");
      const { refresh } = secretsOf(ada.client);
      const old = () => browserWith(open(), { refresh });
      const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await old().get("/whoami")).status));
      expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
      const [swapped, ...meanwhile] = await Promise.all([
        refreshes(ada.client),
        ...Array.from({ length: 10 }, async () => (await old().get("/whoami")).status),
      ]);
      expect({ swapped, meanwhile }).toEqual({ swapped: true, meanwhile: statuses });
      expect((await old().get("/whoami")).status).toBe(200);
      expect({ served: await isServed(ada.client), refreshes: await refreshes(ada.client) }).toEqual({
        served: true,
        refreshes: true,
      });
    });

    test("Q-02 a sign-out, an ended session and a disabled account count from the next request on", async () => {
      const ada = await people.register("ada");
      const browser = browserOf(ada);
      expect((await browser.get("/whoami")).status).toBe(200);
      await ada.client.post(auth("logout"));
      expect(refusalOf(await browser.get("/whoami"))).toEqual(unauthorized);
      expect((await browser.get("/public")).json).toEqual({ user: null });
      const [grace, edith] = [await people.register("grace"), await people.register("edith")];
      const [ofGrace, ofEdith] = [browserOf(grace), browserOf(edith)];
      expect([(await ofGrace.get("/whoami")).status, (await ofEdith.get("/whoami")).status]).toEqual([200, 200]);
      rows.run("update users set active = 0 where id = ?", grace.id);
      rows.run("update auth_sessions set expires_at = expires_at - ? where user_id = ?", 24 * 365 * hour, edith.id);
      expect(refusalOf(await ofGrace.get("/whoami"))).toEqual(unauthorized);
      expect(refusalOf(await ofEdith.get("/whoami"))).toEqual(unauthorized);
    });
  });

  describe("requests that pages of other sites send", () => {
    const own = (): string => new URL(open()).origin;
    test.each<[string, () => Record<string, string>, number]>([
      ["of no browser", () => ({}), 200],
      ["of the same origin", () => ({ "sec-fetch-site": "same-origin", origin: own() }), 200],
      ["of the person", () => ({ "sec-fetch-site": "none" }), 200],
      ["of an older browser, from the same host", () => ({ origin: own() }), 200],
      ["of a listed origin", () => ({ "sec-fetch-site": "cross-site", origin: pages }), 200],
      ["of a sibling host", () => ({ "sec-fetch-site": "same-site", origin: "http://other.localhost" }), 403],
      ["of another site", () => ({ "sec-fetch-site": "cross-site", origin: "https://evil.example" }), 403],
      ["of another site that hides its name", () => ({ "sec-fetch-site": "cross-site", origin: "null" }), 403],
      ["of an older browser, from elsewhere", () => ({ origin: "https://evil.example" }), 403],
      ["of an older browser, without a name", () => ({ origin: "null" }), 403],
      ["of a host that begins like a listed one", () => ({ origin: `${pages}.evil.example` }), 403],
      ["of another port", () => ({ "sec-fetch-site": "same-site", origin: "http://127.0.0.1:1" }), 403],
    ])("Q-03 a change %s", async (_what, headersOf, status) => {
      const ada = await people.register("ada");
      const answer = await browserOf(ada).post("/change", {}, { headers: headersOf() });
      expect({ status: answer.status, code: answer.at("code") }).toEqual({
        status,
        code: status === 403 ? "cross_site_request" : undefined,
      });
    });

    test("Q-03 reading is open, a token is nobody's by accident, and who shows nothing is a stranger", async () => {
      const ada = await people.register("ada");
      const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
      expect((await browserOf(ada).get("/whoami", { headers })).status).toBe(200);
      const authorization = `Bearer ${secretsOf(ada.client).access}`;
      expect((await browserOf(ada).post("/change", {}, { headers: { ...headers, authorization } })).status).toBe(200);
      expect(refusalOf(await stranger().post("/change", {}, { headers }))).toEqual(unauthorized);
    });
  });
}

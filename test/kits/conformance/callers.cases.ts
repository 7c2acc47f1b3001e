import { describe, expect, test } from "bun:test";
import { organizationKit, organizations } from "../../contract/organization/organization.fixture.ts";
import { auth, browserWith, claimsOf, secretsOf, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { forbidden, fresh, isUncached, publicUrl, refusalOf, unauthorized, type Suite } from "./suite.ts";

/** Who is calling, and what an app may ask for. */
export function callerCases(suite: Suite): void {
  const { people, mailbox, doorway, open, closed, stranger, browserOf, give } = suite;

  describe("who is calling", () => {
    test("Q-11 a signed-in person is told to the app, whatever letters the name has", async () => {
      const [username, email] = [`Grâce Ørsted ${fresh()}`, `o'grace+%41${fresh()}@example.test`];
      const grace = await people.register("grace", { username, email });
      give(grace, "admin editor");
      const answer = await browserOf(grace).get("/whoami");
      expect({ status: answer.status, json: answer.json }).toEqual({
        status: 200,
        json: {
          id: grace.id,
          username,
          email,
          email_verified: false,
          roles: ["admin", "editor"],
          session_id: String((await grace.client.get(auth("sessions"))).at("sessions.0.id")),
          acr: "aal1",
          auth_time: claimsOf(secretsOf(grace.client).access)["auth_time"],
          organization: null,
          claims: { email },
        },
      });
      expect({ uncached: isUncached(answer), cookies: answer.setCookies }).toEqual({ uncached: true, cookies: [] });
    });

    test("Q-11 strangers are refused in the service's envelope, and let in where the app lets in everybody", async () => {
      const refused = await stranger().get("/whoami");
      expect(refusalOf(refused)).toEqual(unauthorized);
      expect({ uncached: isUncached(refused), challenge: refused.headers.get("www-authenticate") }).toEqual({
        uncached: true,
        challenge: "Bearer",
      });
      expect((await stranger().get("/public")).json).toEqual({ user: null });
      const ada = await people.register("ada");
      expect((await browserOf(ada).get("/public")).at("user.id")).toBe(ada.id);
      expect(refusalOf(await createClient(closed()).get("/public"))).toEqual(unauthorized);
      expect((await browserOf(ada, closed()).get("/public")).at("user.id")).toBe(ada.id);
    });

    test("Q-11 what a client writes under the service's headers means nothing", async () => {
      const headers = { "x-auth-user-id": "1", "x-auth-roles": "admin", "x-auth-username": "ada" };
      expect(refusalOf(await stranger().get("/whoami", { headers }))).toEqual(unauthorized);
      expect(refusalOf(await browserOf(await people.register("ada")).get("/admin-only", { headers }))).toEqual(
        forbidden,
      );
    });

    test("Q-11 a bearer token excludes the cookies; what browsers add by themselves does not", async () => {
      const ada = await people.register("ada");
      const { access } = secretsOf(ada.client);
      const by = (authorization: string) => ({ headers: { authorization } });
      expect((await stranger().get("/whoami", by(`Bearer ${access}`))).at("id")).toBe(ada.id);
      expect(refusalOf(await browserOf(ada).get("/whoami", by("Bearer x")))).toEqual(unauthorized);
      expect((await browserOf(ada).get("/whoami", by("Basic YWRhOmFkYQ=="))).at("id")).toBe(ada.id);
    });

    test("Q-11 a personal token calls for its person, without a session", async () => {
      const ada = await people.register("ada");
      const token = (await ada.client.post(auth("tokens"), { name: "a script" })).textAt("token");
      const answer = await stranger().get("/whoami", { headers: { authorization: `Bearer ${token}` } });
      expect(["id", "session_id", "acr", "auth_time"].map((name) => answer.at(name))).toEqual([
        ada.id,
        null,
        null,
        null,
      ]);
    });

    test("Q-09 Gatehouse is asked about credentials alone, is sent its own cookies, and learns where the request came from", async () => {
      const ada = await people.register("ada");
      doorway().become("Gatehouse");
      await stranger().get("/public");
      expect(doorway().heads()).toEqual([]);
      const browser = browserOf(ada);
      browser.setCookie("app_session", "of-the-app");
      await browser.get("/whoami", { headers: { "x-forwarded-for": "203.0.113.7", "x-of-the-app": "1" } });
      const [head = "", ...others] = doorway().heads();
      expect(others).toEqual([]);
      expect(head).toMatch(/^GET \/api\/v1\/auth\/verify HTTP\/1\.1\r\n/);
      expect(head).toMatch(/\r\nx-forwarded-for: 203\.0\.113\.7, 127\.0\.0\.1\r\n/i);
      expect(head).toMatch(/\r\ncookie: auth_access=[^;\r]+; auth_refresh=[^;\r]+\r\n/i);
      expect(head).not.toContain("of-the-app");
    });

    test("Q-09 credentials that are far too long are not sent on", async () => {
      doorway().become("Gatehouse");
      const answer = await browserWith(open(), { access: "x".repeat(14_000) }).get("/whoami");
      expect([431, 400]).toContain(answer.status);
      expect(doorway().heads()).toEqual([]);
    });
  });

  describe("what the app asks for", () => {
    test("Q-02 Q-11 a role: 403 without it, 401 to strangers, and from the request on after it was given or taken", async () => {
      const ada = await people.register("ada");
      const browser = browserOf(ada);
      expect(refusalOf(await browser.get("/admin-only"))).toEqual(forbidden);
      give(ada, "administrator");
      expect(refusalOf(await browser.get("/admin-only"))).toEqual(forbidden);
      give(ada, "admin editor");
      expect((await browser.get("/admin-only")).at("id")).toBe(ada.id);
      give(ada, "editor");
      expect(refusalOf(await browser.get("/admin-only"))).toEqual(forbidden);
      expect(refusalOf(await stranger().get("/admin-only"))).toEqual(unauthorized);
    });

    test("Q-02 Q-11 an organization and a role in it, as the session acts now", async () => {
      const kit = organizationKit({ people, mailbox });
      const { id, owner, member } = await kit.team();
      const act = (person: Person, as: string | null) => person.client.post(`${organizations}/switch`, { id: as });
      for (const person of [owner, member]) await act(person, id);
      const [asOwner, asMember] = [browserOf(owner), browserOf(member)];
      expect((await asOwner.get("/org-only")).at("organization.id")).toBe(id);
      expect((await asMember.get("/whoami")).at("organization.roles")).toEqual(["member"]);
      expect(refusalOf(await asMember.get("/org-only"))).toEqual(forbidden);
      expect((await asMember.get(`/org-only/${id}`)).status).toBe(200);
      expect(refusalOf(await asMember.get(`/org-only/${crypto.randomUUID()}`))).toEqual(forbidden);
      await act(member, null);
      expect(refusalOf(await asMember.get(`/org-only/${id}`))).toEqual(forbidden);
      expect(refusalOf(await browserOf(await people.register("eve")).get(`/org-only/${id}`))).toEqual(forbidden);
    });

    test("Q-08 an organization whose id is missing: nobody is let in, whatever they act for", async () => {
      const { id, owner } = await organizationKit({ people, mailbox }).team();
      await owner.client.post(`${organizations}/switch`, { id });
      const { status } = await browserOf(owner).get("/org-missing");
      // A gate that can tell a missing id from one that nobody acts for calls it a fault of the app.
      expect([403, 500]).toContain(status);
    });

    test("Q-12 people who open a page are led to sign in, and back; scripts and forms are refused", async () => {
      const page = { accept: "text/html,application/xhtml+xml", "sec-fetch-mode": "navigate" };
      const led = await stranger().get("/whoami?tab=1&x=a%20b", { headers: page });
      expect({ status: led.status, uncached: isUncached(led) }).toEqual({ status: 303, uncached: true });
      const { origin, pathname, searchParams } = new URL(led.headers.get("location") ?? "");
      expect({ origin, pathname, next: searchParams.get("next") }).toEqual({
        origin: publicUrl,
        pathname: "/login",
        next: `${open()}/whoami?tab=1&x=a%20b`,
      });
      expect((await stranger().get("/whoami", { headers: { accept: page.accept } })).status).toBe(303);
      for (const headers of [{ ...page, "sec-fetch-mode": "cors" }, { accept: "application/json" }])
        expect((await stranger().get("/whoami", { headers })).status).toBe(401);
      expect((await stranger().post("/change", {}, { headers: page })).status).toBe(401);
    });
  });
}

import { describe, expect, test } from "bun:test";
import { auth, browserWith, expectRefusal, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, people } = await stage();

describe("RequireAuth", () => {
  const guarded = [
    ["GET", auth("me")],
    ["POST", auth("profile")],
    ["GET", auth("sessions")],
    ["POST", auth("sessions/0190b6d0-0000-7000-8000-000000000000/revoke")],
    ["POST", auth("change-password")],
    ["POST", auth("email-verification/request")],
    ["POST", auth("logout-all")],
    ["GET", "/api/v1/hello"],
  ] as const;

  test.each(guarded)("%s %s answers 401 without a session, and never changes cookies", async (method, path) => {
    const body = path.endsWith("change-password") ? { current_password: "x", new_password: "y" } : undefined;
    const strangers = [
      createClient(target.url),
      browserWith(target.url, { access: "x" }),
      browserWith(target.url, { refresh: "x" }),
      browserWith(target.url, { access: "a.b.c", refresh: "a.b.c.d" }),
    ];
    for (const stranger of strangers) {
      const answer = await stranger.request(method, path, method === "POST" ? body : undefined);
      expectRefusal(answer, 401, "unauthorized", "unauthorized");
      expect(answer.setCookies).toEqual([]);
    }
  });

  test.each(guarded.filter(([method]) => method === "POST"))(
    "%s %s answers a stranger 401 whatever the body is, and says what is wrong with it to the signed-in alone",
    async (method, path) => {
      const ada = await people.register("ada");
      const json = { "content-type": "application/json" };
      for (const [body, headers, status, code] of [
        ["{", json, 400, "invalid_payload"],
        ["[]", json, 400, "invalid_payload"],
        ["name=ada", { "content-type": "application/x-www-form-urlencoded" }, 415, "unsupported_media_type"],
        [`{"a":"${"x".repeat(70_000)}"}`, json, 413, "payload_too_large"],
      ] as const) {
        const stranger = await createClient(target.url).request(method, path, undefined, { body, headers });
        expectRefusal(stranger, 401, "unauthorized", "unauthorized");
        const answer = await ada.client.copy().request(method, path, undefined, { body, headers });
        expect({ body: body.slice(0, 20), status: answer.status, code: answer.at("code") }).toEqual({
          body: body.slice(0, 20),
          status,
          code,
        });
      }
    },
  );

  test("a bad body is told before anything is done where nobody has to be signed in", async () => {
    const headers = { "content-type": "application/json" };
    for (const path of ["login", "register", "refresh", "password-reset/request", "password-reset/confirm"]) {
      const answer = await createClient(target.url).post(auth(path), undefined, { body: "{", headers });
      expectRefusal(answer, 400, "invalid payload", "invalid_payload");
      expect(answer.setCookies).toEqual([]);
    }
  });

  test("GET /hello greets in plain text", async () => {
    const ada = await people.register("ada");
    const answer = await ada.client.get("/api/v1/hello");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("text/plain");
    expect(answer.text).toBe(`Hello, ${ada.username}!`);
  });

  test("an access token is taken as a bearer token too; a wrong one is not saved by good cookies", async () => {
    const ada = await people.register("ada");
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const { access, refresh } = secretsOf(ada.client);
    expect((await createClient(target.url).get(auth("me"), bearer(access))).at("user.id")).toBe(ada.id);
    for (const wrong of ["", "x", refresh, `${access}x`]) {
      expect((await createClient(target.url).get(auth("me"), bearer(wrong))).status).toBe(401);
    }
    expect((await ada.client.get(auth("me"), bearer("x"))).status).toBe(401);
  });

  test("GET /me answers the user", async () => {
    const ada = await people.register("ada", { display_name: "Ada Lovelace" });
    const answer = await ada.client.get(auth("me"));
    expect(answer.status).toBe(200);
    expect(answer.at("ok")).toBe(true);
    expect(answer.at("user")).toMatchObject({ id: ada.id, email: ada.email, display_name: "Ada Lovelace" });
    expect(answer.text).not.toMatch(/hash|secret|argon/i);
  });

  test("answers 401 to the anonymous before it judges the body", async () => {
    for (const [route, body] of [
      ["profile", { display_name: 5 }],
      ["change-password", {}],
    ] as const) {
      expectRefusal(await createClient(target.url).post(auth(route), body), 401, "unauthorized", "unauthorized");
    }
  });

  test("takes the scheme of the Authorization header in any case (RFC 9110 §11.1)", async () => {
    const ada = await people.register("ada");
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const headers = { authorization: `${scheme} ${ada.client.cookie("auth_access")}` };
      expect((await createClient(target.url).get(auth("me"), { headers })).status).toBe(200);
    }
  });

  test("C-17 what is answered to a session is kept by no cache, plain text included", async () => {
    const ada = await people.register("ada");
    const greeting = await ada.client.get("/api/v1/hello");
    expect(greeting.status).toBe(200);
    expect(greeting.headers.get("cache-control")).toBe("no-store");
  });
});

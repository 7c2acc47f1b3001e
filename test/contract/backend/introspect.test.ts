import { describe, expect, test } from "bun:test";
import { auth, claimsOf, createPeople, expectRefusal, forge, hour, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { setUpTotp } from "../../support/factors.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { introspectPath, serviceKit } from "./service.fixture.ts";

const { target, rows, people } = await stage();
const { create, introspect } = serviceKit(target);
const secret = await create("crm");
const authorization = { authorization: `Bearer ${secret}` };
const form = { "content-type": "application/x-www-form-urlencoded" };
const send = (body: string, headers: Record<string, string>) =>
  createClient(target.url).post(introspectPath, undefined, { body, headers: { ...authorization, ...headers } });

describe("POST /introspect", () => {
  test("V-12 says whose access token it is, by the rows of this moment (RFC 7662)", async () => {
    const ada = await people.register("ada");
    rows.run("update users set roles = 'admin editor' where id = ?", ada.id);
    const { access } = secretsOf(ada.client);
    const { sid, iss, aud, iat, exp, amr, acr, auth_time } = claimsOf(access);
    const answer = await introspect(secret, access);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const active = {
      active: true,
      sub: ada.id,
      username: ada.username,
      email: ada.email,
      sid,
      iss,
      aud,
      iat,
      exp,
      amr,
      acr,
      auth_time,
    };
    expect({ acr, auth_time }).toEqual({ acr: "aal1", auth_time: iat });
    expect(answer.json).toEqual({ ...active, email_verified: false, roles: ["admin", "editor"] });
    rows.run("update users set roles = '', email_verified_at = created_at where id = ?", ada.id);
    expect((await introspect(secret, access)).json).toEqual({ ...active, email_verified: true, roles: [] });
  });

  test("V-12 takes JSON and a form alike, and ignores token_type_hint and what else is sent", async () => {
    const ada = await people.register("ada");
    const { access } = secretsOf(ada.client);
    const body = `token=${access}&token_type_hint=access_token&x=1`;
    for (const type of [form["content-type"], `${form["content-type"]}; charset=utf-8`])
      expect((await send(body, { "content-type": type })).at("sub")).toBe(ada.id);
    const json = JSON.stringify({ token: access, token_type_hint: "refresh_token" });
    expect((await send(json, { "content-type": "application/json" })).at("sub")).toBe(ada.id);
    const slashed = await createClient(target.url).post(`${introspectPath}/`, undefined, {
      body,
      headers: { ...authorization, ...form },
    });
    expect(slashed.at("sub")).toBe(ada.id);
  });

  test("V-12 a token that opens nothing is inactive, and nothing more is said of it", async () => {
    const [ada, grace, mary, joan] = await Promise.all(
      ["ada", "grace", "mary", "joan"].map((name) => people.register(name)),
    );
    if (!ada || !grace || !mary || !joan) throw new Error("nobody registered");
    const tokens = [ada, grace, mary, joan].map(({ client }) => secretsOf(client));
    const claims = claimsOf(tokens[0]?.access ?? "");
    await ada.client.post(auth("logout"));
    rows.run("update users set active = 0 where id = ?", grace.id);
    rows.run("update auth_sessions set expires_at = created_at where user_id = ?", mary.id);
    rows.run("update auth_sessions set app = 'admin' where user_id = ?", joan.id);
    const fresh = secretsOf((await people.register("ada")).client);
    const foreign = ["aud", "iss"].map((name) => forge({ ...claimsOf(fresh.access), [name]: "another" }));
    const late = forge({ ...claimsOf(fresh.access), iat: 1, exp: 2 });
    const worthless = ["", "x", "a.b.c", secret, fresh.refresh, late, ...foreign, forge(claims, "k".repeat(40))];
    for (const token of [...tokens.map(({ access }) => access), ...worthless]) {
      const answer = await introspect(secret, token);
      expect({ token, status: answer.status, json: answer.json }).toEqual({
        token,
        status: 200,
        json: { active: false },
      });
    }
  });

  test("M-15 a session that has to set up its second factor first is nobody's, and somebody's from then on", async () => {
    const strict = await startTarget({ env: { ...target.env, AUTH_MFA_REQUIRED: "true" } });
    const own = serviceKit(strict);
    const key = await own.create("strict");
    const ada = await createPeople(strict.url).register("strict");
    const ask = async () => (await own.introspect(key, secretsOf(ada.client).access)).json;
    expect(await ask()).toEqual({ active: false });
    await setUpTotp(ada);
    expect(await ask()).toMatchObject({ active: true, sub: ada.id });
    await strict.stop();
  });

  test("V-12 does not keep an idle session alive: that a backend asks is no sign of the person", async () => {
    const ada = await people.register("ada");
    rows.run("update auth_sessions set last_seen_at = last_seen_at - ? where user_id = ?", hour, ada.id);
    const seen = () => rows.get("select last_seen_at from auth_sessions where user_id = ?", ada.id)["last_seen_at"];
    const before = seen();
    expect((await introspect(secret, secretsOf(ada.client).access)).at("active")).toBe(true);
    expect(seen()).toBe(before ?? null);
  });

  test("refuses what is no such request, but asks for the secret first", async () => {
    const json = { "content-type": "application/json" };
    for (const [body, headers, status, code] of [
      ["{}", json, 400, "invalid_payload"],
      ['{"token":5}', json, 400, "invalid_payload"],
      ['{"token":"x"', json, 400, "invalid_payload"],
      ["", form, 400, "invalid_payload"],
      ["token=a&token=b", form, 400, "invalid_payload"],
      ["token=a", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
      [`token=${"x".repeat(70_000)}`, form, 413, "payload_too_large"],
    ] as const) {
      const answer = await send(body, headers);
      expect({ body: body.slice(0, 20), status: answer.status, code: answer.at("code") }).toEqual({
        body: body.slice(0, 20),
        status,
        code,
      });
      const stranger = await createClient(target.url).post(introspectPath, undefined, { body, headers });
      expectRefusal(stranger, 401, "unauthorized", "unauthorized");
    }
  });

  test("X-09 a form of thousands of fields is refused before they are looked at one by one", async () => {
    const fields = (count: number): string => Array.from({ length: count }, (_, index) => index.toString(36)).join("&");
    const many = await send(`token=x&${fields(3_500)}`, form);
    expectRefusal(many, 400, "invalid payload", "invalid_payload");
    expect((await send(`token=x&${fields(63)}`, form)).json).toEqual({ active: false });
    expectRefusal(await send(`token=x&${fields(64)}`, form), 400, "invalid payload", "invalid_payload");
  });

  test("V-12 a page of another site can't ask, not even with a form that a browser sends without asking", async () => {
    const headers = { ...form, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expectRefusal(await send("token=x", headers), 403, "cross-site request refused", "cross_site_request");
  });
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { emailKey } from "../../src/auth/identifiers.ts";
import { auth, calm, createPeople, expectRefusal } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { startTarget, type Target } from "../support/target.ts";

let target: Target;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  target = await startTarget({ env: { ...calm } });
  people = createPeople(target.url);
});
afterAll(async () => {
  await target.stop();
});

describe("X-08 an address is normalised first and judged then", () => {
  test.each([
    ["a full-width @ in the local part", "ada\uff20home@example.test"],
    ["a local part that becomes a space", "ada\u00a8x@example.test"],
    ["a local part that becomes dots", "ada\u2025x@example.test"],
    ["a local part that becomes a colon", "ada\uff1ax@example.test"],
    ["a local part longer than it looks", `${"\ufdfa".repeat(10)}@example.test`],
    ["a character that shows nothing", "ada\ufe0f@example.test"],
    ["a path after the domain", "ada@example.test/x"],
    ["a query after the domain", "ada@example.test?x"],
    ["a fragment after the domain", "ada@example.test#x"],
    ["a domain with percent-encoding", "ada@ex%61mple.test"],
  ])("%s is refused", async (_, email) => {
    expect(emailKey(email)).toBeUndefined();
    const answer = await createClient(target.url).post(auth("register"), { email, password: "a long walk by the sea" });
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
  });

  test("the canonical form is its own canonical form, whatever character is in it", () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const key = emailKey(`a${String.fromCharCode(code)}b@example.test`);
      if (key !== undefined) expect(emailKey(key)).toBe(key);
    }
  });

  test("a user name holds no character that shows nothing", async () => {
    for (const invisible of ["\u3164", "\ufe0f", "\u034f"]) {
      const fields = { username: `ada${invisible}`, email: "shadow@example.test", password: "a long walk by the sea" };
      const answer = await createClient(target.url).post(auth("register"), fields);
      expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    }
  });
});

describe("the guard", () => {
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

import { afterEach, expect, test } from "bun:test";
import { serveSite, type Site } from "./site.ts";

let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
});

test("two cookies come in two Set-Cookie headers", async () => {
  site = await serveSite();
  expect((await site.post("/api/cookies")).headers.getSetCookie()).toEqual([
    "auth_access=a.b.c; Max-Age=900; Path=/; HttpOnly; SameSite=Lax",
    "auth_refresh=d; Path=/; HttpOnly; SameSite=Lax",
  ]);
});

test("a macro of another plugin can set a cookie, and other routes set none", async () => {
  site = await serveSite();
  expect((await site.get("/api/marked")).headers.getSetCookie()).toEqual(["mark=from-the-macro; Path=/; HttpOnly"]);
  expect((await site.get("/api/hello")).headers.getSetCookie()).toEqual([]);
});

test("C-05 of different cookies of one name none counts, and junk is no cookie", async () => {
  site = await serveSite();
  const cases = [
    ["auth_access=ada; auth_access=eve", null],
    ["x=1;auth_access=ada;  auth_access=eve", null],
    ["auth_access=ada; x=1; auth_access=ada", "ada"],
    ['auth_access="ada"', "ada"],
    ["auth_access=a%2Eb", "a.b"],
    ["auth_access=a=b", "a=b"],
    ["auth_access=", ""],
    ["auth_access=%zz; auth_access=eve", null],
    ["xauth_access=eve; AUTH_ACCESS=eve; auth_access", null],
    [";;; ;=; =x; __proto__=1", null],
  ] as const;
  for (const [cookie, value] of cases) {
    const answer = await site.get("/api/cookie", { cookie });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ value });
  }
});

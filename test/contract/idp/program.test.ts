import { describe, expect, test } from "bun:test";
import { createProgram, type ProgramTokens } from "../../../src/client/oauth.ts";
import type { Client } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { idpEnvironment, idpKit, issuer } from "./idp.fixture.ts";

const redirectUri = "com.example.shop:/callback";
const { target, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const phone = await kit.register(
  "Shop",
  "--type",
  "native",
  "--redirect-uri",
  redirectUri,
  "--redirect-uri",
  "http://127.0.0.1/cb",
);

/** Plays the system's browser of somebody who is signed in: it ends at the address of the app. */
const visitBy =
  (browser: Client, uri = redirectUri) =>
  async (address: string) => {
    const answer = await browser.get(address.slice(issuer.length));
    const location = answer.headers.get("location") ?? "";
    if (!location.startsWith(uri)) throw new Error(`it led to ${location}`);
    return location;
  };

function program(more: Partial<Parameters<typeof createProgram>[0]> = {}) {
  const requests: string[] = [];
  const made = createProgram({
    baseUrl: issuer,
    clientId: phone.client_id,
    redirectUri,
    fetch: Object.assign(
      (input: string | URL | Request, init?: RequestInit) => {
        requests.push(input instanceof Request ? input.url : input.toString());
        return kit.fetch(input, init);
      },
      { preconnect: () => undefined },
    ),
    ...more,
  });
  return { ...made, requests };
}

describe("the client of a program", () => {
  test("signs a person in by the system's browser in one call, and tells who it is", async () => {
    const ada = await people.register("ada");
    const shop = program();
    expect(await shop.getUser()).toMatchObject({ ok: false, code: "signed_out" });
    const signedIn = await shop.signIn({ visit: visitBy(ada.client) });
    expect(signedIn).toMatchObject({ ok: true, tokens: { scope: "openid profile email offline_access" } });
    expect(await shop.getUser()).toMatchObject({ ok: true, user: { sub: ada.id, email: ada.email } });
  });

  test("takes a loopback address with whatever port is free", async () => {
    const { client } = await people.register("ada");
    const uri = "http://127.0.0.1:49152/cb";
    const shop = program({ redirectUri: uri });
    expect(await shop.signIn({ visit: visitBy(client, uri) })).toMatchObject({ ok: true });
  });

  test("refreshes once for all calls at the same time, and keeps what it gets", async () => {
    const { client } = await people.register("ada");
    let kept: ProgramTokens | undefined;
    const storage = {
      load: () => kept && { ...kept, expiresAt: 0 },
      save: (tokens: ProgramTokens | undefined) => void (kept = tokens),
    };
    const shop = program({ storage });
    await shop.signIn({ visit: visitBy(client) });
    const before = kept?.refreshToken;
    shop.requests.length = 0;
    const answers = await Promise.all(Array.from({ length: 5 }, () => shop.getAccessToken()));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(shop.requests).toEqual([`${issuer}/oauth2/token`]);
    expect(kept?.refreshToken).not.toBe(before);
  });

  test("is signed out once the service has ended it, and keeps its tokens while the service is away", async () => {
    const ada = await people.register("ada");
    let kept: ProgramTokens | undefined;
    const storage = {
      load: () => kept && { ...kept, expiresAt: 0 },
      save: (tokens: ProgramTokens | undefined) => void (kept = tokens),
    };
    const shop = program({ storage });
    await shop.signIn({ visit: visitBy(ada.client) });
    const away = program({
      storage,
      fetch: Object.assign(() => Promise.reject(new Error("away")), { preconnect: () => undefined }),
    });
    expect(await away.getAccessToken()).toMatchObject({ ok: false, code: "network" });
    expect(kept).toBeDefined();
    await ada.client.post("/api/v1/auth/logout-all");
    expect(await shop.getAccessToken()).toMatchObject({ ok: false, code: "signed_out" });
    expect(kept).toBeUndefined();
  });

  test("signing out ends what the service holds for the program, and the browser stays signed in", async () => {
    const { client } = await people.register("ada");
    let kept: ProgramTokens | undefined;
    const shop = program({ storage: { load: () => kept, save: (tokens) => void (kept = tokens) } });
    await shop.signIn({ visit: visitBy(client) });
    const access = kept?.accessToken ?? "";
    expect(await shop.signOut()).toEqual({ ok: true });
    expect(kept).toBeUndefined();
    expect((await kit.userinfo(access)).status).toBe(401);
    expect((await client.get("/api/v1/auth/me")).status).toBe(200);
  });

  const strange: readonly (readonly [string, (address: URL) => string])[] = [
    ["another state", () => `${redirectUri}?code=x&state=other&iss=${encodeURIComponent(issuer)}`],
    [
      "another issuer",
      (asked) => `${redirectUri}?code=x&state=${asked.searchParams.get("state")}&iss=https%3A%2F%2Fevil.example.test`,
    ],
    ["no issuer", (asked) => `${redirectUri}?code=x&state=${asked.searchParams.get("state")}`],
    [
      "another address",
      (asked) =>
        `com.example.evil:/callback?code=x&state=${asked.searchParams.get("state")}&iss=${encodeURIComponent(issuer)}`,
    ],
  ];
  test.each(strange)("an answer with %s counts for nothing, and no code is sent anywhere", async (_what, answer) => {
    const shop = program();
    const result = await shop.signIn({ visit: (address) => Promise.resolve(answer(new URL(address))) });
    expect(result).toMatchObject({ ok: false, code: "invalid_answer" });
    expect(shop.requests).toEqual([]);
  });

  test("says what the service refused, and that the person gave up", async () => {
    const { client } = await people.register("ada");
    const shop = program({ scope: "openid roles" });
    expect(await shop.signIn({ visit: visitBy(client) })).toMatchObject({ ok: false, code: "invalid_scope" });
    expect(await shop.signIn({ visit: () => Promise.resolve(undefined) })).toMatchObject({
      ok: false,
      code: "cancelled",
    });
  });
});

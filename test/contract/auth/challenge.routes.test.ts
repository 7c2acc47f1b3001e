import { describe, expect, test } from "bun:test";
import { decodeBase32IgnorePadding } from "@oslojs/encoding";
import { auth } from "../../support/auth.ts";
import { challengedAt, giveAuthenticator, totpCode, verify } from "../../support/factor.ts";
import { stage } from "../../support/stage.ts";
import {
  callersHalfway,
  guardedRoutes,
  isOpenWithoutFactor,
  registered,
  send,
  withProvider,
} from "./challenge.fixture.ts";

const { target, people, rows } = await stage({
  env: {
    ...withProvider,
    AUTH_MFA_REQUIRED: "true",
    ORGANIZATIONS_ENABLED: "true",
    AUTH_PERSONAL_TOKENS_ENABLED: "true",
    API_DOCS_ENABLED: "true",
  },
});
const routes = await guardedRoutes(target.url);

describe("every route that takes a session", () => {
  test("M-04 serves nothing of a sign-in that waits for its second factor", async () => {
    expect(routes.length).toBeGreaterThan(15);
    const ada = await registered(people, rows, "ada");
    const callers = await callersHalfway(target.url, ada);
    const served = [];
    for (const caller of callers)
      for (const route of routes) {
        const answer = await send(caller, route);
        if (answer !== "401 unauthorized") served.push(`${caller.name}: ${route.method} ${route.path}: ${answer}`);
      }
    expect(served).toEqual([]);
  });

  test("M-15 lets a session without the required factor only set one up, and one with it do everything", async () => {
    const [ada, grace] = [await people.register("ada"), await registered(people, rows, "grace")];
    const challenged = await challengedAt(target.url, grace);
    await verify(challenged, grace.app.code());
    const wrong = [];
    for (const route of routes.filter(({ path }) => !path.includes("logout"))) {
      const isOpen = isOpenWithoutFactor(route);
      for (const [name, browser, isLimited] of [
        ["no factor", ada.client, true],
        ["a factor, but not of the session", grace.client, true],
        ["a session with the factor", challenged.browser, false],
      ] as const) {
        if (!isLimited && /revoke|delete|remove/.test(route.path)) continue;
        const answer = await send({ name, client: () => browser.copy() }, route);
        // A proxy's question is answered without a word about the person.
        const isRefused = answer === (route.path === auth("verify") ? "401 unauthorized" : "403 mfa_setup_required");
        if (isRefused !== (isLimited && !isOpen)) wrong.push(`${name}: ${route.method} ${route.path}: ${answer}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("M-15 the factor is set up on the way in, which raises the session", async () => {
    const { client } = await people.register("ada");
    const hello = async () => (await client.get("/api/v1/hello")).status;
    expect(await hello()).toBe(403);
    const secret = decodeBase32IgnorePadding((await client.post(auth("mfa/totp/setup"))).textAt("secret"));
    const code = totpCode(secret, Math.floor(Date.now() / 30_000));
    expect((await client.post(auth("mfa/totp/confirm"), { code })).status).toBe(200);
    expect(await hello()).toBe(200);
  });

  test("M-15 nobody is told that such a session is anybody's, and its owner can raise it", async () => {
    const ada = await people.register("ada");
    const verifyPath = auth("verify");
    const me = async () => (await ada.client.get(auth("me"))).at("mfa_setup_required");
    expect([(await ada.client.get(verifyPath)).status, await me()]).toEqual([401, true]);
    const app = giveAuthenticator(rows, ada);
    expect([(await ada.client.get(verifyPath)).status, await me()]).toEqual([401, true]);
    const proof = await ada.client.post(auth("reauthenticate"), { method: "totp", code: app.code() });
    expect(proof.status).toBe(200);
    expect([(await ada.client.get(verifyPath)).status, await me()]).toEqual([204, false]);
    // Once the last factor is gone, the session counts as one without a factor again.
    rows.run("update users set factors = 0 where id = ?", ada.id);
    expect([(await ada.client.get(verifyPath)).status, await me()]).toEqual([401, true]);
  });
});

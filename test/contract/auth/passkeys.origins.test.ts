import { describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import type { Client } from "../../support/client.ts";
import { add, origin, signIn, stagePasskeys } from "./passkeys.fixture.ts";

const app = "https://app.example.test";
const { browser, register, withPasskey } = await stagePasskeys({
  AUTH_WEBAUTHN_RP_ID: "example.test",
  AUTH_WEBAUTHN_ORIGINS: "https://App.example.test:443, https://example.test",
  AUTH_ALLOWED_ORIGINS: `${app}, https://example.test, https://other.example.test, https://app.other.test`,
});

const page = (of: string, site = "same-site") => ({
  headers: { origin: of, "sec-fetch-site": site, "sec-fetch-mode": "cors" },
});
const options = (client: Client, act: "login" | "register", headers: object) =>
  client.post(auth(`passkeys/${act}/options`), {}, headers);

describe("M-49 passkeys on pages of other origins", () => {
  test.each([app, "https://example.test"])("%s is named, and its pages make and use one", async (listed) => {
    const person = await register("ada");
    const authenticator = await createAuthenticator(listed, "ES256");
    for (const act of ["login", "register"] as const)
      expect((await options(person.client, act, page(listed))).status).toBe(200);
    expect((await add(person.client, authenticator)).status).toBe(200);
    expect((await signIn(browser(), authenticator)).status).toBe(200);
  });

  test("one that is not named is told what lets it, and what it signs is not taken", async () => {
    const { person } = await withPasskey("grace");
    const other = "https://other.example.test";
    for (const act of ["login", "register"] as const) {
      const answer = await options(person.client, act, page(other));
      expect([answer.status, answer.at("code")]).toEqual([403, "passkey_origin"]);
      expect(answer.at("detail")).toBe(
        `Its page is of ${other}, where passkeys of example.test (AUTH_WEBAUTHN_RP_ID) are not taken: AUTH_WEBAUTHN_ORIGINS=${other} lets it use them.`,
      );
    }
    const authenticator = await createAuthenticator(other, "ES256");
    expect((await add(person.client, authenticator)).at("code")).toBe("invalid_payload");
  });

  test("one of another domain is told where they are used", async () => {
    const { person } = await withPasskey("lin");
    const answer = await options(person.client, "register", page("https://app.other.test"));
    expect(answer.at("detail")).toBe(
      `Its page is of https://app.other.test, and browsers use passkeys of example.test (AUTH_WEBAUTHN_RP_ID) only on pages of that domain, and of others that it names: open ${origin}.`,
    );
  });

  test("a client that names no origin is no page", async () => {
    for (const body of [{}, { delivery: "body" }])
      expect((await browser().post(auth("passkeys/login/options"), body)).status).toBe(200);
  });
});
